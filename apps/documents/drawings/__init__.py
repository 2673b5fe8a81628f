"""Rasterize SVG drawings without a system library. It supports the subset of SVG that product
drawings use.
"""

from apps.documents.drawings.raster import DrawingRefused, drawing_pixels

__all__ = ["DrawingRefused", "drawing_pixels"]
