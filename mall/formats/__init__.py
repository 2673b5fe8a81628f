"""The formats of days and moments by language: lists and pages of the back office."""
