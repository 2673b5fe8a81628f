"""Requisitions, their lines, and the order lines that fulfil them."""

from apps.requisitions.models.requisition import Requisition, RequisitionLine, RequisitionTake

__all__ = ["Requisition", "RequisitionLine", "RequisitionTake"]
