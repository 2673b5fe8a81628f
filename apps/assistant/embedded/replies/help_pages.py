"""Replies from the help pages. A topic names the page; the text is the page's own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from apps.assistant.answers import Delta, Event, Link, Links, Working
from apps.assistant.embedded.question import Question
from apps.assistant.embedded.replies.talk import admit_not_understood
from apps.assistant.tools.help import (
    HelpMatch,
    Section,
    covers,
    cut_excerpt,
    find_help_section,
    help_find,
)

HELP = "help_pages"
# What the question is about → path of the page, words of the heading.
TOPICS: tuple[tuple[re.Pattern[str], str, str], ...] = tuple(
    (re.compile(pattern), path, heading)
    for pattern, path, heading in (
        (
            r"(?:休假|出差|请假|不在|离职).{0,12}(?:审批|批|审)|(?:审批|批|审).{0,12}(?:休假|出差|请假|不在|离职)|代理审批|委托审批",
            "/help/detail/11",
            "审批人休假",
        ),
        (r"密码", "/help/detail/9", "登录"),
        (r"滑动验证|滑块|验证码", "/help/detail/11", "滑动验证"),
        (r"菜单|看不到.{0,6}(?:功能|入口|按钮)", "/help/detail/9", "看不到某个菜单"),
        (r"账号.{0,6}(?:锁|停用|登不|禁用)|登录?不(?:上|了)", "/help/detail/11", "账号已停用"),
        (
            r"(?:开|建|新建|新增|加|申请).{0,4}账号|账号.{0,4}(?:怎么开|申请|新建)",
            "/help/detail/9",
            "我是管理员",
        ),
        (r"(?:搜|找)不到.{0,6}商品", "/help/detail/11", "搜不到"),
        (r"同事.{0,8}价|价.{0,8}同事", "/help/detail/11", "同事看到的价格"),
        (
            r"(?:为什么|为啥|什么情况).{0,8}(?:要|需要|得|会).{0,2}(?:审批|批)|(?:要|需要|得|用).{0,4}(?:审批|批)吗|(?:要|得|需要)谁.{0,2}(?:批|审)|谁批|审批规则|审批流程",
            "/help/detail/12",
            "4.",
        ),
        (r"预算不(?:足|够).{0,6}(?:下单|怎么|能)", "/help/detail/11", "预算不足"),
        (r"开错|红冲|发票.{0,6}错|填错", "/help/detail/11", "开错"),
        (r"专票|专用发票", "/about/kpinfo", "专票"),
        (r"合并开票|开票规则|分开开票", "/about/kpinfo", "开票规则"),
        (
            r"什么时候.{0,6}(?:开票|发票)|(?:发票|开票).{0,6}什么时候",
            "/help/detail/11",
            "什么时候能开票",
        ),
        (r"发票|开票|抬头|普票", "/about/kpinfo", "怎样申请"),
        (r"退.{0,8}运费|运费.{0,6}退", "/help/detail/1", ""),
        (r"运费|包邮|邮费|快递费", "/help/detail/13", "运费"),
        (r"(?:改|换|修改|写错|填错).{0,6}地址|地址.{0,6}(?:改|换|错)", "/help/detail/13", "改地址"),
        (r"地址", "/help/detail/12", "4."),
        (r"送货上门|送上楼|搬上楼", "/help/detail/13", "送货上门"),
        (r"货到付款|到付", "/help/detail/7", ""),
        (r"转账|对公|汇款", "/help/detail/6", "怎么操作"),
        (
            r"在线(?:支付|付款).{0,8}|支付.{0,6}(?:失败|没成功|不了)|付不了|扣了?[钱款]|重复付|付了?两次",
            "/help/detail/8",
            "",
        ),
        (r"付款方式|怎么付款|支付方式|付款|支付|月结|账期", "/help/detail/12", "4."),
        (r"取消|不想要", "/help/detail/2", "什么时候可以自己取消"),
        (r"(?:收货|签收|验货).{0,10}(?:注意|怎么|如何|要|流程)|收货须知", "/help/detail/14", ""),
        (
            r"退|换货|怎么换|能换|坏了|破损|破了|质量|少发|少了|漏发|少件|发错|错发|售后|维修",
            "/help/detail/1",
            "",
        ),
        (
            r"(?:几天|多久|多长时间|多少天|什么时候|周末|节假日|时间|时效|范围|哪里|能不能|支持).{0,8}(?:送|到|发货|收到|配送)|"
            r"(?:送|发货|配送|到货|送货).{0,8}(?:几天|多久|多长时间|多少天|什么时候|时间|周末|范围|吗)|(?:节假日|周末|假期).{0,6}(?:送|发|配送)",
            "/help/detail/13",
            "时间",
        ),
        (r"授权|证书|正品|资质", "/help/detail/10", ""),
        (r"logo|印字|印刷|印标|印.{0,4}(?:字|标)|刻字|定制", "/help/detail/4", ""),
        (r"服务商|加盟|渠道合作|代理商", "/help/detail/5", "想成为服务商"),
        (r"上门", "/help/detail/15", "上门服务"),
        (r"网点|仓库", "/help/detail/15", ""),
        (r"营销|活动策划|企业福利合作", "/help/detail/3", ""),
        (r"怎么买|怎么下单|如何下单|下单流程|购物流程|采购流程", "/help/detail/12", ""),
        (r"怎么审批|如何审批|审批怎么|怎么批", "/help/detail/9", "我是审批人"),
        (r"使用手册|怎么用商城|新手", "/help/detail/9", ""),
    )
)
# Topics whose answer is not on a help page: text and link.
NOTES: tuple[tuple[re.Pattern[str], str, Link], ...] = (
    (
        re.compile(r"催"),
        "在“我的订单”里打开正在审批的订单，点“催办”，会提醒当前的审批人。",
        Link("我的订单", "/userCenter/order/index"),
    ),
    (
        re.compile(
            r"快速下单|批量(?:导入|下单|采购|添加)|导入.{0,6}(?:清单|表格|excel)|(?:清单|表格|excel).{0,6}导入"
        ),
        "在“快速下单”里粘贴清单，或上传 Excel 表格：每行一个商品编码、型号或名称和数量，"
        "核对后一次加入购物车。",
        Link("快速下单", "/product/QuickOrder"),
    ),
    (
        re.compile(r"(?:新增|添加|加|建|录入).{0,6}(?:收货)?地址|地址.{0,6}(?:新增|添加|在哪)"),
        "在“收货地址”里新增、修改和停用地址；结算时也可以直接新增收货地址。",
        Link("收货地址", "/userCenter/management/address"),
    ),
)


def show_help(question: Question) -> Iterator[Event]:
    """Show the section of the question's topic. Without a topic, show the best matching section
    only if it contains all that the question names.
    """
    text = question.slots.text
    for pattern, note, link in NOTES:
        if pattern.search(text):
            yield Working(HELP, "正在查阅帮助")
            yield Delta(note)
            yield Links((link,))
            return
    for pattern, path, heading in TOPICS:
        if pattern.search(text) and (
            section := find_help_section(path=path, heading=heading, text=text)
        ):
            yield from _show_section(section)
            return
    match = help_find(text=text)
    if match is not None and covers(match.best, text):
        yield from _show_match(match)
        return
    yield from admit_not_understood(question)


def _show_section(section: Section) -> Iterator[Event]:
    yield Working(HELP, "正在查阅帮助")
    yield Delta(f"**{section.name}**\n\n{cut_excerpt(section)}")
    yield Links((Link(section.title, section.path),))


def _show_match(match: HelpMatch) -> Iterator[Event]:
    yield Working(HELP, "正在查阅帮助")
    yield Delta(f"**{match.best.name}**\n\n{cut_excerpt(match.best)}")
    yield Links(tuple(Link(section.title, section.path) for section in (match.best, *match.others)))
