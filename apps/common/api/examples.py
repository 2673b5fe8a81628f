"""An example for every plain value of the schema, by its key: what the docs page fills its bodies with, and a client's author reads."""

from __future__ import annotations

from typing import Any

MOMENT, DAY = "2026-03-05T14:07:00+08:00", "2026-03-05"
# By the whole key; then by how it ends; then by what it is.
KEYS: dict[str, Any] = {
    "OrderNo": "SO26030512345678",
    "ReturnOrderId": "TH26030512345678",
    "ApplicationNo": "KP26030512345678",
    "InquiryNo": "XJ26030512345678",
    "InvoiceNo": "26312000000012345678",
    "PurchaseOrderNo": "PO-2026-0301",
    "CostCenter": "CC-1001",
    "ProductCode": "110001",
    "CustomerProductName": "中性笔 0.5mm 黑色",
    "UserName": "buyer",
    "NickName": "林晓雨",
    "Password": "demo-Mall-2026",
    "Mobile": "13800000000",
    "Phone": "021-00000000",
    "Email": "buyer@example.com",
    "Key": "中性笔",
    "Keyword": "中性笔",
    "Unit": "支",
    "Reason": "买错了",
    "Remark": "请送至前台",
    "Url": "https://erp.example.com/mall/events",
    "CreditCode": "91310000000000000U",
    "Province": "上海市",
    "City": "上海市",
    "District": "浦东新区",
    "Street": "示例路 1 号",
    "TrackingNo": "SF0000000000000",
    "Carrier": "示例快递",
    "PageIndex": 1,
    "PageSize": 20,
    "Total": 1,
    "RetCode": "ok",
    "RetMessage": "",
    "RequestId": "0f8fad5bd9cb469fa165",
}
ENDINGS: tuple[tuple[str, Any], ...] = (("Id", "1024"), ("No", "0001"), ("Text", "示例"), ("Name", "示例"), ("Code", "0001"))
FORMATS: dict[str, Any] = {
    "date-time": MOMENT,
    "date": DAY,
    "decimal": "12.50",
    "uri": "https://example.com/",
    "email": "buyer@example.com",
    "uuid": "0f8fad5b-d9cb-469f-a165-70867728950e",
}
KINDS: dict[str, Any] = {"boolean": True, "integer": 1, "number": 1.5, "string": "示例"}


def examples_hook(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:  # noqa: ARG001
    """Give each plain property of a component that has none its example."""
    for component in result.get("components", {}).get("schemas", {}).values():
        for key, schema in component.get("properties", {}).items():
            found = example_of(key, schema)
            if found is not None:
                schema.setdefault("example", found)
    return result


def example_of(key: str, schema: dict[str, Any]) -> Any:
    """Return an example that fits the schema, or None where it is a reference, a list, an object or a choice."""
    kind = schema.get("type")
    if kind not in KINDS or "enum" in schema:
        return None
    found = KEYS.get(key)
    if schema.get("format") in FORMATS:
        found = FORMATS[schema["format"]]
    elif kind == "string" and found is None:
        found = next((value for ending, value in ENDINGS if key.endswith(ending)), None)
    fits = isinstance(found, type(KINDS[kind]))
    if kind == "integer":
        return found if fits else max(1, schema.get("minimum", 1))
    found = found if fits else KINDS[kind]
    return None if kind == "string" and len(str(found)) > schema.get("maxLength", 10**6) else found
