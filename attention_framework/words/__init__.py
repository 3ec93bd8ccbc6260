"""How values are said to people, in commands and in the report: durations, times of day, tables."""
