"""The intents of a question: an ordered table of rules. The first matching rule decides."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from enum import StrEnum

from apps.assistant.answers import Turn
from apps.assistant.embedded.reading import (
    GOALS,
    Reading,
    get_previous_list,
    list_referenced_codes,
    refers_beyond_shown,
)
from apps.assistant.tools.quick_lists import find_scenario


class Intent(StrEnum):
    GREETING = "greeting"
    THANKS = "thanks"
    WHO = "who"
    ABILITIES = "abilities"
    HUMAN = "human"
    FORBIDDEN = "forbidden"
    FOREIGN = "foreign"
    OFF_TOPIC = "off_topic"
    CART_VIEW = "cart_view"
    QUICK_LIST = "quick_list"
    COMPARE = "compare"
    CART_ADD = "cart_add"
    BUY_AGAIN = "buy_again"
    SWAP = "swap"
    ORDERS = "orders"
    APPROVALS = "approvals"
    BUDGET = "budget"
    FACTS = "facts"
    HELP = "help"
    FIND = "find"


def _matches_pattern(pattern: str) -> Callable[[Reading, Sequence[Turn]], bool]:
    compiled = re.compile(pattern)
    return lambda reading, _turns: bool(compiled.search(reading.text))


HOW = re.compile(
    r"怎么(?!还)|怎样|如何|流程|支持.*吗|提供.*吗|能不能|能否|可不可以|可以.*吗|能.*吗|怎么办|"
    r"多久|运费|什么时候|哪里|在哪|为什么|为啥|注意什么|要准备什么|规则|政策|几天内|多少天"
)
ASKS_LIST = re.compile(
    r"清单|礼包|列(?:一|个|出|张)|备些|备点|准备|补货|要买(?:哪些|什么|些什么)|需要(?:哪些|"
    r"什么)|一套|采购单|配齐|哪些东西"
)
WHOLE_KIT = re.compile(r"用品|礼包|福利|礼品|物资|耗材|茶歇")
# 每人一个鼠标, 买投影仪: one product, not a scenario.
SINGLE = re.compile(
    r"买|找|推荐|哪[个款]|每人[^\d一两元]{0,3}[一两\d]+\s*(?:个|支|本|把|台|件|套|只)"
)
ADDS = re.compile(
    r"加购|购物车|加(?:到|入|进)|(?:^|[^增])加\s*[\d一二两三四五六七八九十]+|各(?:加|来|要)|"
    r"来\s*[\d一二两三四五六七八九十]+|买\s*[\d一二两三四五六七八九十]+|"
    r"要\s*[\d一二两三四五六七八九十]+\s*(?:支|个|盒|箱|包|本|瓶|桶|台|件|套)|下单买|全(?:部)?加"
)
FACT_WORDS = re.compile(
    r"多少钱|价格|什么价|单价|售价|卖多少|几块|库存|有货|没货|缺货|现货|几天|到货|发货期|货期|"
    r"起订|最少买|一次最少|增量|规格|参数|介绍|协议价|市场价|便宜多少|详情"
)
COMPARES = re.compile(
    r"比较|对比|比一下|比一比|比怎么样|比比|区别|差别|不同|哪(?:个|款|一个|一款)(?:更|"
    r"比较)?(?:好|便宜|划算|值|贵|合适)|(?:跟|和|与|同).+比|vs"
)
# 上次买的签字笔再来 2 支
BEFORE = re.compile(
    r"(?:上次|上回|上一次|之前|以前|上个?月)(?:我)?(?:们)?(?:买|订|采购|下单|用)过?的?"
)
AGAIN = re.compile(r"再(?:来|买|订|要|下|加|采购)|照(?:着|样)|一样的|同样的")
# 把马克杯换成保温杯
SWAP = re.compile(
    r"^(?:请|帮我)?(?:把|将)(?P<old>.+?)(?:换|改|替换)(?:成|为|做)(?P<new>.+?)[。!！]?$"
)
WHY_REFUSED = re.compile(r"(?:为什么|为啥|怎么).{0,6}(?:驳回|被拒|没通过)|驳回(?:的)?(?:原因|理由)")
ORDERS = re.compile(
    r"订单|物流|快递|运单|包裹|发货了|到哪(?:儿|里)?了|还没到|没收到|没收货|还没收货|待收货|"
    r"待付款|待支付|没付款|未付款|驳回|在审批|审批中|"
    r"上次买|上回买|最近买|上次订|买过|下过的单|我的单"
)
PAYING = re.compile(r"扣了?[钱款]|付了?两次|重复付|支付失败|付款失败|付不了|金额不符")
APPROVES = re.compile(r"审批|待批|等我批|要我批|我批的|批一下|批几")
BUDGETS = re.compile(
    r"预算(?!\s*\d|\s*[一二两三四五六七八九十]|在|是?\s*\d)|额度|还能花|余额|经费还|能花多少|预算够"
)


def _asks_list(reading: Reading, _turns: Sequence[Turn]) -> bool:
    """Return whether the question asks for a list of goods for an occasion or a number of
    people.
    """
    scenario = find_scenario(reading.text)
    if scenario is None or (
        HOW.search(reading.text.replace("要买哪些", "")) and not ASKS_LIST.search(reading.text)
    ):
        return False
    is_occasion = reading.limit(1) is not None and scenario.code and not SINGLE.search(reading.text)
    is_for_so_many = reading.people is not None and (WHOLE_KIT.search(reading.text) or is_occasion)
    return bool(ASKS_LIST.search(reading.text) or is_for_so_many) and "订单" not in reading.text


def _changes_list(reading: Reading, turns: Sequence[Turn]) -> bool:
    """Whether the question changes the previous list and names nothing more: 按 20 人配, 预算加到
    5000, 不要背包, 更省的方案.
    """
    if (
        not get_previous_list(turns)
        or find_scenario(reading.text)
        or re.search("购物车|订单|第", reading.text)
        or reading.names
    ):
        return False
    return bool(
        reading.people
        or reading.budget
        or reading.excluded
        or any(pattern.search(reading.text) for pattern, _ in GOALS)
    )


def _is_adding(reading: Reading, turns: Sequence[Turn]) -> bool:
    if not ADDS.search(reading.text) or re.search(r"(?:怎么|如何).*购物车", reading.text):
        return False
    return bool(
        reading.names
        or list_referenced_codes(reading.text, turns)
        or refers_beyond_shown(reading.text, turns)
        or turns
        or "购物车" in reading.text
    )


def _buys_again(reading: Reading, _turns: Sequence[Turn]) -> bool:
    return bool(
        BEFORE.search(reading.text) and (AGAIN.search(reading.text) or ADDS.search(reading.text))
    )


def _is_swapping(reading: Reading, turns: Sequence[Turn]) -> bool:
    return bool(turns and turns[-1].proposed and SWAP.search(reading.text))


def _is_comparing(reading: Reading, turns: Sequence[Turn]) -> bool:
    if not COMPARES.search(reading.text) or re.search(r"同事.*价|价.*同事", reading.text):
        return False
    return (
        len(reading.names) > 1
        or len(list_referenced_codes(reading.text, turns)) > 1
        or bool(turns and turns[-1].codes)
    )


def _is_about_orders(reading: Reading, _turns: Sequence[Turn]) -> bool:
    if reading.order_nos or WHY_REFUSED.search(reading.text):
        return True
    asks_how = PAYING.search(reading.text) or (
        HOW.search(reading.text) and not re.search(r"到哪|还没|没收到|在哪", reading.text)
    )
    return bool(ORDERS.search(reading.text)) and not asks_how and not reading.names


def _is_about_product(reading: Reading, turns: Sequence[Turn]) -> bool:
    pointed = list_referenced_codes(reading.text, turns) or refers_beyond_shown(reading.text, turns)
    if reading.names and not reading.order_nos:
        return (
            bool(FACT_WORDS.search(reading.text))
            or re.fullmatch(r"[\s\w-]{0,40}", reading.text) is not None
        )
    return bool(pointed and (FACT_WORDS.search(reading.text) or len(reading.text) < 12))


def _is_about_help(reading: Reading, _turns: Sequence[Turn]) -> bool:
    return bool(HOW.search(reading.text) or PAYING.search(reading.text)) and not reading.names


FORBIDDEN = (
    r"忽略.*(?:指令|规则|提示|设定)|(?:系统|内部)提示词|越权|绕过|(?:价格?|商品|价).*改(?:成|"
    r"为|到)|改价|"
    r"(?:直接|替我|帮我|自动).*(?:下单|付款|支付|提交订单)|(?:直接|替我|帮我|代我|"
    r"自动).*(?:审批通过|通过.*审批|批准|驳回)|"
    r"(?:改|修改|删|删除|调|关|关闭|新建|停用).{0,6}(?:审批规则|权限|角色|账号|预算额度|规则)|"
    r"(?:审批规则|权限|角色|预算额度).{0,3}(?:改|删|调)|"
    r"(?:取消|撤回).*(?:帮我|替我)|(?:帮我|替我).*(?:取消|撤回|退货|退款|开票|收货)(?!.*怎)"
)
FOREIGN = (
    r"(?:其他|别的|别家|另一家|竞争对手|同行)(?:公司|集团|企业|客户).*(?:价|订单|买|预算)|"
    r"(?!我们)[一-鿿]{2,8}(?:集团|公司|企业)的?(?:协议价|价格|订单|预算|采购)"
)
OFF_TOPIC = (
    r"天气|写.{0,4}(?:诗|作文|文章|小说|代码|邮件|论文)|股票|基金|彩票|笑话|新闻|翻译|星座|算命|"
    r"足球比分|电影|唱.*歌|讲.*故事|总统|政治"
)
THANKS = (
    r"^(?:谢谢|多谢|感谢|辛苦|thanks?|thank you|好的?谢谢|ok|好的|知道了|明白了|收到)[\s!！。~,，"
    r"你您了啦]*$"
)
GREETING = (
    r"^(?:你好|您好|hi|hello|嗨|在吗|在不在|早上好|上午好|下午好|晚上好|哈喽)[\s!！。~,，呀啊吗]*$"
)
ABILITIES = (
    r"你?(?:能|会|可以)(?:做|干|帮).{0,6}(?:什么|啥|哪些)|有(?:什么|哪些)功能|怎么用你|使用说明|"
    r"你会什么"
)
CART_VIEW = (
    r"购物车(?:里|中)?(?:现在|目前|都)?(?:有|是|还有)?(?:什么|哪些|多少|几)|看.{0,3}购物车$|"
    r"购物车(?:里|中).*(?:吗|多少|几)"
)


def _is_about_approvals(reading: Reading, _turns: Sequence[Turn]) -> bool:
    is_own = re.search(r"在审批|审批中|驳回|我的.*审批", reading.text)
    return bool(APPROVES.search(reading.text)) and not HOW.search(reading.text) and not is_own


def _is_about_budgets(reading: Reading, _turns: Sequence[Turn]) -> bool:
    return bool(BUDGETS.search(reading.text)) and not re.search(
        r"怎么(?:设|调|申请)|不足", reading.text
    )


TABLE: tuple[tuple[Intent, Callable[[Reading, Sequence[Turn]], bool]], ...] = (
    (Intent.FORBIDDEN, _matches_pattern(FORBIDDEN)),
    (Intent.FOREIGN, _matches_pattern(FOREIGN)),
    (Intent.THANKS, _matches_pattern(THANKS)),
    (Intent.GREETING, _matches_pattern(GREETING)),
    (Intent.HUMAN, _matches_pattern(r"人工|真人|转客服|联系客服|客服电话|找客服|投诉")),
    (Intent.WHO, _matches_pattern(r"你是(?:谁|什么|哪|机器人|ai)|你叫什么|介绍.*你自己")),
    (Intent.ABILITIES, _matches_pattern(ABILITIES)),
    (Intent.OFF_TOPIC, _matches_pattern(OFF_TOPIC)),
    (Intent.CART_VIEW, _matches_pattern(CART_VIEW)),
    (Intent.ORDERS, lambda reading, _turns: bool(reading.order_nos)),
    (Intent.QUICK_LIST, _asks_list),
    (Intent.QUICK_LIST, _changes_list),
    (Intent.SWAP, _is_swapping),
    (Intent.BUY_AGAIN, _buys_again),
    (Intent.COMPARE, _is_comparing),
    (Intent.CART_ADD, _is_adding),
    (Intent.APPROVALS, _is_about_approvals),
    (Intent.ORDERS, _is_about_orders),
    (Intent.FACTS, _is_about_product),
    (Intent.BUDGET, _is_about_budgets),
    (Intent.HELP, _is_about_help),
)


def find_intent(reading: Reading, turns: Sequence[Turn]) -> Intent:
    """Return the intent of the question; FIND if no rule matches."""
    return next((intent for intent, fits in TABLE if fits(reading, turns)), Intent.FIND)
