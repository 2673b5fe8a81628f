"""Replies without a lookup: greetings, abilities, refusals, and questions back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from apps.assistant.answers import Delta, Event, Link, Links
from apps.assistant.embedded.acts import REFUSALS
from apps.assistant.embedded.question import Question
from apps.assistant.embedded.replies.wording import escape_markdown

ABILITIES = """我可以帮您：

- **找商品**：按名称、品牌、颜色、规格、包装、价格查找，可排除；比较，找更便宜的、其他颜色的、替代品
- **列清单**：会议用品、入职礼包、打印耗材、清洁用品等，按人数和预算配好，由您确认后加入购物车
- **查订单**：订单状态、物流单号、没到货的订单、以前买过什么
- **查花费**：按时间、品类、采购人、部门
- **看预算和审批**：可用预算、预计期末、待您审批的订单、您的订单等谁审批
- **查票据**：发票、对账单、月结额度、退换货进度
- **答疑**：退换货、取消订单、开票、配送、付款等，并给出帮助页

直接告诉我需要什么就可以，例如“20 元以内的黑色中性笔”“上个月花了多少”。"""


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


def name_customer_service(_question: Question) -> Iterator[Event]:
    yield Delta("请点击页面右侧的**客服**联系在线客服，工作日 9:00-18:00 有人值守。")
    yield Links((Link("常见问题", "/help/detail/11"),))


def refuse_action(question: Question) -> Iterator[Event]:
    """Say that the assistant does not do this act, and where the person does it himself."""
    act, title, path = next(
        (
            (act, title, path)
            for pattern, act, title, path in REFUSALS
            if pattern.search(question.slots.masked_text)
        ),
        ("办理这件事", "我的订单", "/userCenter/order/index"),
    )
    yield Delta(
        f"{act}这件事我不能代办，什么都没有改动。请您本人在“{title}”页面操作；"
        "我只能查询您有权查看的内容，并列出建议清单，由您点击确认后加入购物车。"
    )
    yield Links((Link(title, path),))


def refuse_foreign_data(_question: Question) -> Iterator[Event]:
    yield Delta("我只能查看您自己企业的商品、价格、订单和预算，无法提供其他公司的信息。")


def refuse_off_topic(_question: Question) -> Iterator[Event]:
    yield Delta("这个问题我帮不上忙。我是采购助手，只回答商品、订单、预算、审批和售后方面的问题。")


def admit_unknown_words(words: Sequence[str], about: str) -> Iterator[Event]:
    """Name the words that were not understood, and what was."""
    quoted_words = "”“".join(escape_markdown(word) for word in words)
    yield Delta(
        f"我没看懂“{quoted_words}”，所以先不回答，以免答错。{about}请换个说法，或去掉这部分再问一次。"
    )


def admit_not_understood(_question: Question) -> Iterator[Event]:
    yield Delta(
        "抱歉，我没看懂这句话，暂时不能回答。您可以问商品、购物车、订单、花费、预算、审批、发票、退换货或帮助，"
        "例如“20 元以内的黑色中性笔”“上个月花了多少”“还有哪些订单没到货”。"
    )
