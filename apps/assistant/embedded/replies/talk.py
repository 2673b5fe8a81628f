"""Replies without a lookup: greetings, what the assistant can do, and what it refuses."""

from __future__ import annotations

from collections.abc import Iterator

from apps.assistant.answers import Delta, Event, Link, Links
from apps.assistant.embedded.reading import Question

ABILITIES = """我可以帮您：

- **找商品**：按名称、品牌、规格、预算查找，比较几款商品，查价格和库存
- **列清单**：会议用品、入职礼包、打印耗材、清洁用品等，按人数和预算配好，由您确认后加入购物车
- **查订单**：订单状态、物流单号、待收货、审批进度
- **看预算和审批**：可用预算、待您审批的订单
- **答疑**：退换货、取消订单、开票、配送、付款等，并给出帮助页

直接告诉我需要什么就可以，例如“20 元以内的黑色中性笔”。"""


def greet(question: Question) -> Iterator[Event]:
    yield Delta(f"您好，{question.actor.nickname}！我是 AI 采购助手。\n\n{ABILITIES}")


def thank(_question: Question) -> Iterator[Event]:
    yield Delta("不客气，需要时随时找我。")


def introduce(_question: Question) -> Iterator[Event]:
    yield Delta(
        "我是文采商城的 AI 采购助手，按您账号的权限查询商品、订单、预算和帮助内容。\n\n" + ABILITIES
    )


def list_abilities(_question: Question) -> Iterator[Event]:
    yield Delta(ABILITIES)


def name_service_phone(_question: Question) -> Iterator[Event]:
    yield Delta(
        "请点击页面右侧的**客服**联系在线客服，也可以拨打页脚的客服电话，工作日 9:00-18:00 "
        "有人值守。"
    )
    yield Links((Link("常见问题", "/help/detail/11"),))


def refuse_action(_question: Question) -> Iterator[Event]:
    yield Delta(
        "这件事我不能代办。改价、改规则、审批、下单、付款、取消和退货都需要您本人在对应页面操作；"
        "我只能查询您有权查看的内容，并列出建议清单，由您点击确认后加入购物车。"
    )
    yield Links((Link("我的购物车", "/shop/cart"), Link("我的订单", "/userCenter/order/index")))


def refuse_foreign_data(_question: Question) -> Iterator[Event]:
    yield Delta("我只能查看您自己企业的商品、价格、订单和预算，无法提供其他公司的信息。")


def refuse_off_topic(_question: Question) -> Iterator[Event]:
    yield Delta("这个问题我帮不上忙。我是采购助手，只回答商品、订单、预算、审批和售后方面的问题。")


def admit_not_understood(_question: Question) -> Iterator[Event]:
    yield Delta(f"抱歉，我没有理解您的问题，暂时不能回答。{ABILITIES}")
