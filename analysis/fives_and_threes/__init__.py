"""Analyses of Fives and Threes: one question a file, runs in, tables out."""
