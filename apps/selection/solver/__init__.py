"""One-click selection without the database: parsing of wishes, pack sizes, scores, and baskets
by integer programming.
"""
