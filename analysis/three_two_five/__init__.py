"""Analyses of 3-2-5: one question a file, runs in, tables out."""
