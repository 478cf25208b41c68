"""The report: one self-contained HTML file about the ratings of one or more runs."""
