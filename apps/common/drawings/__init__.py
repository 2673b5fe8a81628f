"""Drawings (SVG) as pixels, where no system library renders them: the plain subset that product drawings are made of."""

from apps.common.drawings.raster import DrawingRefused, drawing_pixels

__all__ = ["DrawingRefused", "drawing_pixels"]
