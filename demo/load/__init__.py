"""Loads the demo mall. The sheets of demo/ go through the same importer and services that staff
and customers use.
"""
