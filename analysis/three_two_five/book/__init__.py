"""What the opening book says: tables, chart, rules of thumb, sections of the report."""
