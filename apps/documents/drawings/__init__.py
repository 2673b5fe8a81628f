"""Rasterize SVG drawings without a system library. It supports the subset of SVG that product
drawings use.
"""

from apps.documents.drawings.raster import DrawingRefused, rasterise_drawing

__all__ = ["DrawingRefused", "rasterise_drawing"]
