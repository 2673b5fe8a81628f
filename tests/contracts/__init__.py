"""Tests of rules that hold for all apps."""
