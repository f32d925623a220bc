"""Opening books, what both games share: tables, packing, and what is shipped."""
