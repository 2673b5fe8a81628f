"""Planted faults: does a test notice when the mall is broken in one line?"""
