"""The judged set of the image search: pictures drawn anew, and what must be found by them."""
