"""Inquiries, and the quotes that answer them."""

from apps.inquiries.models.inquiry import (
    ProductInquiry,
    ProductInquiryLine,
    ProductInquiryMessage,
    ProductInquiryPicture,
)

__all__ = [
    "ProductInquiry",
    "ProductInquiryLine",
    "ProductInquiryMessage",
    "ProductInquiryPicture",
]
