"""The table of acts: what a person can ask for, and how he says it.

The patterns match the masked text of a request (slots.py): capital letters stand for objects. The
first row that fits decides. `words` are the words that an act understands; what remains besides
objects and filler words was not understood, and the answer says so instead of guessing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from apps.assistant.embedded.slots import Slots
from apps.assistant.tools.cart import find_scenario


class Act(StrEnum):
    """What a person asks the embedded assistant for. The patterns below map a text to one act, and
    `answer.py` maps the act to its answer.
    """

    GREETING = "greeting"
    THANKS = "thanks"
    WHO = "who"
    ABILITIES = "abilities"
    HUMAN = "human"
    FOREIGN = "foreign"
    FORBIDDEN = "forbidden"
    OFF_TOPIC = "off_topic"
    CART_VIEW = "cart_view"
    BUY_AGAIN = "buy_again"
    SWAP = "swap"
    KIT = "kit"
    INVOICES = "invoices"
    STATEMENT = "statement"
    CREDIT = "credit"
    TITLES = "titles"
    HELP = "help"
    RETURNS = "returns"
    APPROVALS = "approvals"
    BUDGET = "budget"
    BOUGHT = "bought"
    SPENDING = "spending"
    SHIPPED = "shipped"
    ORDER = "order"
    ORDERS = "orders"
    COMPARE = "compare"
    COLOURS = "colours"
    PACKS = "packs"
    SUBSTITUTE = "substitute"
    CHEAPER = "cheaper"
    SAME = "same"
    CART_ADD = "cart_add"
    FACTS = "facts"
    FIND = "find"


HOW = (
    r"怎么(?!样|还)|怎样|如何|咋(?!样)|流程|步骤|需要什么|要什么(?:资料|材料)|注意什么|规则|政策|"
    r"多久|几天|多少天|哪里|在哪|为什么|为啥|能.{0,6}吗|可以.{0,8}吗|支持|提供|怎么办|是什么意思|能不能|能否|可不可以|行不行"
)
ACTS_FOR_ME = r"帮我|替我|给我|代我|直接|自动|马上|立即|把|将"
ASKS = r"看|查|列|几|哪|谁|多少|吗|什么|怎|如何|有没有|找"
# What the assistant never does: pattern, the act in words, the page where the person does it.
REFUSALS: tuple[tuple[re.Pattern[str], str, str, str], ...] = tuple(
    (re.compile(pattern), act, title, path)
    for pattern, act, title, path in (
        (
            r"忽略.*(?:指令|规则|提示|设定)|(?:系统|内部)提示词|越权|绕过",
            "改变规则和权限",
            "常见问题",
            "/help/detail/11",
        ),
        (
            r"清空|(?:删|清|移除|去掉).{0,6}购物车|购物车.{0,8}(?:删|清(?!单)|移除|去掉)",
            "修改或清空购物车",
            "我的购物车",
            "/shop/cart",
        ),
        (
            rf"(?:{ACTS_FOR_ME}).{{0,6}}(?:下单|提交(?!.*审批走)|结算)(?!.*(?:吗|怎))|^(?:下单|提交订单)吧?了?$",
            "下单",
            "我的购物车",
            "/shop/cart",
        ),
        (
            rf"(?:{ACTS_FOR_ME}).{{0,6}}(?:付款|支付|付了|付掉)(?!.*(?:吗|怎|方式))|^付款吧?$",
            "付款",
            "我的订单",
            "/userCenter/order/index",
        ),
        (
            r"催(?:一下|下|一催|促|办|催)|帮.{0,2}催",
            "代您催办",
            "我的订单",
            "/userCenter/order/index",
        ),
        (
            rf"(?:{ACTS_FOR_ME}|全部|全都|一键).{{0,8}}(?:通过|批准|批了|驳回|同意|审批|审了|批掉)"
            rf"(?!.*(?:吗|谁|怎|进度|权限|规则))|^(?:全部)?(?:通过|批准|驳回|同意)(?!了|的|吗|没)",
            "审批",
            "订单审批",
            "/userCenter/order/approval",
        ),
        (
            r"(?:调高|调低|增加|追加|提高|降低|改|修改|调整|加).{0,6}(?:预算|额度)|"
            r"(?:预算|额度).{0,6}(?:调高|调低|加到|改成|改为|提高|增加|追加|调到|调整)",
            "调整预算",
            "预算余额",
            "/userCenter/asset/budget",
        ),
        (
            r"(?:账号|账户|用户).{0,4}(?:停用|删|禁用|启用|解锁|新建|改)|"
            r"(?:停用|删除|删掉|禁用|新建|新增|开个?|改).{0,6}(?:账号|账户|角色|权限)|"
            r"(?:角色|权限).{0,4}(?:改|删|调|加|开)",
            "管理账号和权限",
            "账号管理",
            "/userCenter/management/account",
        ),
        (
            r"(?:改|修改|调|关|关闭|新建|停用|删).{0,6}审批规则|审批规则.{0,4}(?:改|删|关|停)",
            "修改审批规则",
            "审批规则",
            "/userCenter/management/approval",
        ),
        (
            r"(?:价格?|商品|价).{0,4}改(?:成|为|到|低)|改价",
            "修改价格",
            "商品",
            "/product/index",
        ),
        (
            rf"(?:{ACTS_FOR_ME}).{{0,8}}(?:取消|撤回|撤销)(?!.*(?:吗|怎))|^取消.{{0,4}}[OR]",
            "取消订单",
            "我的订单",
            "/userCenter/order/index",
        ),
        (
            rf"(?:{ACTS_FOR_ME}).{{0,8}}(?:退了|退掉|退货|退款|换货|申请售后)(?!.*(?:吗|怎|进度|到哪))",
            "办理退换",
            "退换货",
            "/userCenter/order/afterSales",
        ),
        (
            rf"(?:{ACTS_FOR_ME}).{{0,6}}开.{{0,4}}(?:发票|专票|普票|票)(?!.*(?:吗|怎))|开Q(?:发票|专票|普票)",
            "申请开票",
            "申请开票",
            "/userCenter/invoice/index",
        ),
        (
            rf"(?:{ACTS_FOR_ME}).{{0,6}}(?:确认收货|签收|收货)(?!.*(?:吗|怎|地址|单))",
            "确认收货",
            "我的订单",
            "/userCenter/order/index",
        ),
    )
)
FOREIGN = re.compile(
    r"(?:其他|别的|别家|别人|另一家|竞争对手|同行|所有|全部)(?:的)?(?:公司|集团|企业|客户|单位)|别人(?:家)?的"
)
# A name with such an ending that is no department of the person's own group.
COMPANY = re.compile(r"([一-鿿]{2,8}(?:建设|集团|公司|银行|药业|医药|物业|教育|科技|物流|供应链))")
OFF_TOPIC = re.compile(
    r"天气|写.{0,6}(?:诗|作文|文章|小说|代码|邮件|论文|信|报告)|(?:发|回).{0,6}(?:邮件|短信|微信)|股票|基金|"
    r"彩票|笑话|新闻|翻译|星座|算命|足球比分|电影|唱.*歌|讲.*故事|总统|政治|机票|火车票|订.{0,4}酒店|汇率|辞职|吃饭|"
    r"合同怎么写"
)
STATE_WORDS = (
    r"待付款|待支付|没付款|未付款|没付|未支付|没支付|要付款|驳回|被拒|没通过|退回来|退回|打回来?|拒了|审批|待审|取消|撤回|撤销|"
    r"没收货|未收货|待收货|没签收|未签收|没收(?!藏)|没收到|没到货|没到|没送到|未到货|在路上|在途|路上|"
    r"没发货|未发货|待发货|拖着|没发|未发|待确认|完成|已完成|已完|没完成|未完成|进行中|处理中|没结束|已收货|已签收"
)
KNOWN_NOUNS = r"订单|单子|采购单|单号|单据|下单|单"


@dataclass(frozen=True, slots=True)
class ActRow:
    """A way to ask for an act. `unless` names shapes that the row leaves to later rows. `words` are
    the words that the act understands; None: the act takes every word (search words, help).
    """

    act: Act
    pattern: re.Pattern[str]
    unless: re.Pattern[str] | None = None
    words: re.Pattern[str] | None = None
    fits: Callable[[Slots], bool] | None = None

    def matches(self, slots: Slots) -> bool:
        """Whether the request asks for this act."""
        return bool(
            self.pattern.search(slots.masked_text)
            and not (self.unless and self.unless.search(slots.masked_text))
            and (self.fits is None or self.fits(slots))
        )


def _build_row(
    act: Act,
    pattern: str,
    *,
    unless: str = "",
    words: str | None = None,
    fits: Callable[[Slots], bool] | None = None,
) -> ActRow:
    """Return a row of the table of acts from patterns as text."""
    return ActRow(
        act,
        re.compile(pattern),
        re.compile(unless) if unless else None,
        re.compile(words) if words is not None else None,
        fits,
    )


ASKS_LIST = re.compile(
    r"清单|礼包|列(?:一|个|出|张)|备些|备点|准备|补货|要买(?:哪些|什么|些什么)|需要(?:哪些|什么|准备)|一套|"
    r"采购单|配齐|哪些东西|配|单子|用的东西|用品|福利|耗材"
)


WHOLE_KIT = re.compile(r"清单|礼包|用品|福利|准备|备|采购单|补货|配齐|一套|套餐|物资")


def _asks_kit(slots: Slots) -> bool:
    """Whether the request names an occasion, and people, money or the wish for a list."""
    if find_scenario(slots.text) is None or slots.order_nos or slots.codes:
        return False
    has_people = slots.heads is not None or slots.per_head is not None
    asks_list = ASKS_LIST.search(slots.masked_text + slots.text) is not None
    if _names_one_thing(slots) or (
        not has_people and slots.budget is None and re.search(HOW, slots.masked_text)
    ):
        return False
    return (
        has_people
        or (asks_list and not slots.periods)
        or (slots.budget is not None and not slots.kinds)
    )


def _names_one_thing(slots: Slots) -> bool:
    """Whether the request is about one kind of product and not a kit: 20人开会，找个投影仪."""
    match = re.search(r"(?:找|买|推荐|配|来|要)(?:个|台|把|一?款|Q)?K|QK|KQ", slots.masked_text)
    return match is not None and not WHOLE_KIT.search(slots.masked_text)


def _names_several_things(slots: Slots) -> bool:
    """Whether the request names at least two things of the same sort."""
    reference_count = sum(
        len(reference.places) or 2 * reference.is_all for reference in slots.references
    )
    return max(len(slots.codes), len(slots.kinds), len(slots.brands), reference_count) > 1


def _points_at_product(slots: Slots) -> bool:
    """Whether the request points at a product: by its code or by a reference."""
    return bool(slots.codes or slots.references)


ORDER_WORDS = (
    rf"{KNOWN_NOUNS}|{STATE_WORDS}|发货|收货|到货|下过|下了|下的|提交|买过|最近|情况|状态|很久|好久|一直|大家|所有人|快递|物流|包裹|运单|付款|支付|"
    r"到哪儿?|走到|送到|送达|到达|到了|到|什么时候|啥时候|几时|何时|明细|进度|批|送|已经|全部|所有|应该|预计|哪天|日期|时间|发|Q|R"
)
ADDING = r"加购|加入购物车|加进|加到购物车|到购物车|进购物车|放购物车|加购物车|下单买"
BUYING = r"来|要|买|加|订|拿|购|配|下单|采购"
TABLE: tuple[ActRow, ...] = (
    _build_row(
        Act.GREETING,
        r"^(?:你好|您好|hi|hello|嗨|在吗|在不在|早上好|上午好|下午好|晚上好|哈喽|早|早安)[!。~,呀啊吗?]*$",
    ),
    _build_row(
        Act.THANKS,
        r"^(?:谢谢|多谢|感谢|辛苦|thanks?|thankyou|好的?谢谢|ok|好的?|知道了|明白了|收到)[!。~,你您了啦]*$",
    ),
    _build_row(Act.WHO, r"你是(?:谁|什么|哪|机器人|ai)|你叫什么|介绍.*你自己"),
    _build_row(
        Act.ABILITIES,
        r"你?(?:都)?(?:能|会|可以)(?:做|干|帮).{0,6}(?:什么|啥|哪些)|有(?:什么|哪些)功能|怎么用你|使用说明|你会什么",
    ),
    _build_row(
        Act.HUMAN, r"人工|真人|客服|投诉|(?:你们|你们的|商城)?电话(?:是?多少|号码?)|怎么联系"
    ),
    _build_row(Act.FORBIDDEN, REFUSALS[0][0].pattern),
    _build_row(Act.FOREIGN, FOREIGN.pattern),
    _build_row(Act.OFF_TOPIC, OFF_TOPIC.pattern),
    _build_row(
        Act.CART_VIEW,
        r"购物车.{0,8}(?:有|什么|啥|哪些|多少|几|吗)|看.{0,4}购物车$|^(?:我的)?购物车$",
        unless=r"怎么|如何|加.{0,4}购物车.*[KG]|价格变",
        words=r"购物车|商品|东西|钱|金额|种|件|装|放",
    ),
    _build_row(
        Act.BUY_AGAIN,
        r"(?:上次|上回|上一次|之前|以前|T)(?:我)?(?:们)?(?:买|订|采购|下单|用|的订单|的单).*(?:再|照|一样)|"
        r"再(?:来|下|买|订)(?:一单|一次|Q)?.{0,4}(?:上次|上回|一样)|再(?:来|下|买|订)(?:一次|Q)?.{0,3}T.{0,3}(?:买|订)|(?:上次|上回|上一次|T).{0,5}(?:再来|再买|再订|再下|照样)|"
        r"^再(?:来|下|买)一单",
    ),
    _build_row(
        Act.FORBIDDEN,
        "|".join(pattern.pattern for pattern, *_ in REFUSALS),
        unless=r"^(?:怎么|如何|怎样)|怎么|如何|能不能取消|可以取消|什么时候",
    ),
    _build_row(
        Act.SWAP,
        r"^(?:请|帮我)?(?:把|将)(?P<old>.+?)(?:换|改|替换)(?:成|为|做)(?P<new>.+?)[。!]?$",
    ),
    _build_row(
        Act.INVOICES,
        r"O.*(?:发票|开.{0,2}票)|^.{0,4}(?<!和)发票$|等.{0,2}开的?(?:发票|票)|(?:T|最近|哪些|几张|多少张?|各|处理|进度|没|未|未开|状态|金额|总额|查|查一下|红冲).*(?:发票|开票|专票|普票|红冲|红字)|"
        r"T.{0,4}开了.{0,6}票|(?:发票|开票|专票|普票|红冲|红字).*(?:T|几张|多少|了没|开了|开出|没有|处理|进度|金额|总额|到哪|状态)|^(?:我的)?发票$",
        unless=r"怎么|如何|怎样|什么资料|什么材料|哪里|在哪|抬头|税号|发到|寄到|能开|可以开|能不能|能否|可不可以|什么时候能|支持|多久|几天|和订单|订单和",
        words=rf"{KNOWN_NOUNS}|电子|纸质|数电|发票|专票|普票|开票|开具|开|票|红冲|红字|金额|总额|张|最近|Q|申请|处理|进度|到哪儿?|状态|多少钱|"
        r"钱|什么时候|哪天|出来|已经|还没|未|没有|没",
    ),
    _build_row(
        Act.STATEMENT,
        r"对账",
        unless=r"怎么|如何|怎样|异议",
        words=r"对账单?|账单|金额|多少钱|钱|确认|没确认|未确认|待确认|在哪看|在哪|月|T|应付|还没|没|有没有",
    ),
    _build_row(
        Act.CREDIT,
        r"信用额度|授信|赊|账期额度|(?:月结|账期|信用).{0,6}(?:额度|剩|还有|用了|多少)|(?:还)?欠.{0,6}(?:多少|款|钱)|额度(?:还|剩)",
        unless=r"预算|怎么|如何",
        words=r"信用|授信|月结|账期|额度|赊|欠|剩下|剩|用|付|款|钱|账|余额|可用",
    ),
    _build_row(
        Act.TITLES,
        r"税号|抬头|纳税人识别号|^(?:公司|我们|的)*(?:开票信息|开票资料)",
        unless=r"怎么|如何|怎样|填错|错了|改",
        words=r"开票信息|开票资料|税号|抬头|发票|公司|企业|单位|纳税人识别号|开票|信息",
    ),
    _build_row(
        Act.HELP,
        HOW,
        unless=r"什么时候(?:到|能到|送到|能送到|发)|到哪|预算(?:什么时候|会)|卡在|驳回|被拒|没通过|O|[GR]|"
        r"K.*(?:多少钱|有没有)|花了|谁.{0,2}(?:没批|批)|走到哪|处理到哪|(?:我|的)(?:退货|售后|订单|单子).*(?:哪里|哪了|哪一步)|"
        r"订单.*(?:在哪|哪里)了|^K|有货|找|推荐|几天内到货的K",
    ),
    _build_row(
        Act.HELP,
        r"密码|包邮|运费|周末.*送|休假|出差|请假|货到付款|付款方式|授权证书|logo|定制|服务商|快递费|导入.*(?:清单|表格)|"
        r"(?:送货|配送)(?:时间|范围)|批量(?:导入|下单)|发票.{0,8}(?:发到|寄到|哪里|在哪|什么时候)|什么时候.{0,6}(?:开票|发票)|多长时间|发错|少发|漏发|坏了|破损|(?:改|换).{0,4}地址|地址.{0,4}改|(?:要|需要|得|用).{0,4}(?:审批|批)吗|(?:要|找|得|该)谁.{0,3}(?:批|审)|节假日|周末|退到哪|退款.{0,4}哪里|^我?(?:要|想|想要)(?:退货|换货|退换货|开票|开发票|取消订单)$",
        unless=r"T|[KGR].*多少钱",
    ),
    _build_row(
        Act.RETURNS,
        r"退货|退换|换货|售后|退款|退的|退了|寄回|维修|返修|退几次|退过",
        unless=r"怎么|如何|退回来没通过|多久|政策|能退吗|订单退",
        words=rf"{KNOWN_NOUNS}|退货|退换货?|换货|售后|退款|退的|退了|退过|退|寄回去?的?|寄回|维修|返修|申请|进度|到哪一步|到哪|步|处理完|处理|"
        r"到账|情况|东西|货|收到|钱|办得|办|次|已经|还没|没",
    ),
    _build_row(
        Act.APPROVALS,
        r"(?:等|待|要|需要|该|找|轮到)我?.{0,2}(?:审批|审核|审|批)|(?:审批|批|审).{0,6}(?:等我|等着我|要我)|待批|待办|(?:没|未)批|"
        r"T.{0,4}(?:审批|批|审)了?.{0,2}(?:几|多少)|(?:最急|急的).{0,4}审批|我批的|"
        r"(?:单子?|订单|申请).{0,4}批了|(?:我|提交).{0,6}(?:单|审批|订单|申请).{0,6}(?:卡|谁|批到|走到|到哪一步|审到)|谁.{0,4}(?:没批|批|审)|卡在|批到谁|"
        r"驳回|被拒|没通过|打回|审批.{0,6}(?:等得|最久|最急|最早)|(?:需要|等)我.{0,3}(?:处理|决定)|审批.{0,6}(?:进度|走到|到哪|卡)",
        unless=r"怎么办|规则|O|没通过.{0,2}的单|退回来|怎么审|要谁批|谁批准|几个单在审批|订单还在审批",
        words=rf"{KNOWN_NOUNS}|审批单?|审核|批准|批的|批了|批|审|等着?|待|要|需要|处理|提交|提交的|走到|卡在|卡|到哪|谁|驳回|被拒|拒绝|没通过|原因|为什么|"
        r"为啥|进度|最急|急|金额|最大|最高|里面|张|申请|着|轮到|找|步|人|那儿|那里|先|一共|了|领导|等得|最久|最早|久|手里|手上|打回来?的?|打回|决定|R",
    ),
    _build_row(
        Act.BUDGET,
        r"预算|经费|还能花|还能用多少|能花多少",
        unless=r"W.*K|K.*W|怎么|如何|不足还能",
    ),
    _build_row(
        Act.BOUGHT,
        r"(?:上次|上回|上一次|最近一次|最后一次|最近)(?:我)?(?:买|订|采购).{0,6}K|K.{0,6}(?:上次|最近一次|最后一次).{0,6}(?:买|订)|"
        r"(?:什么时候|啥时候|哪天)(?:买|订)|T?.{0,6}(?:买|订|采购)(?:过|了|的)?(?:过)?(?:哪些|什么|啥|都是)|都?买(?:了|过)(?:哪些|什么|啥)|买过.{0,4}K|买(?:了|过)?(?:几|多少)次.{0,4}K|K.{0,4}买(?:了|过)?(?:几|多少)次",
        unless=r"[OR].{0,2}买|再来|多少钱的|想买|要买",
        words=r"订单号|单号|订单|上一次|上次|上回|最近一次|最后一次|最近|买过|买了|买的|买|订过?|采购过?|什么时候|啥时候|哪天|几号|东西|商品|花了?|多少钱|次|货|品|清单|单子?",
    ),
    _build_row(
        Act.SPENDING,
        r"(?:花|用|买|采购|消费|支出|开销|下)(?:了|掉|的|得|出去|过)?.{0,8}(?:多少|几块|最多|金额|总额|总共|哪些东西上)|采购额|采购金额|"
        r"采购总额|花费|花销|支出|开销|消费|花得|花在|花(?:了|的)?钱|钱.{0,4}花|多少钱的(?:单|货|东西)|(?:订单|下单)总?(?:金额|额)|多花|花多少|总额|买K(?:花|用)",
        unless=r"预算|还能|发票|开票|退货|运费|对账|W|E|[GR]|少钱包邮|^K.{0,4}多少钱$|(?:几|多少)(?:个|张|笔|份)?(?:单|订单)",
        words=r"订单|下单|采购额|采购金额|采购总额|采购人|采购|总金额|金额|总额|总共|累计|合计|花费|花销|支出|开销|消费|花掉|花得|花在|花了|花|用掉|用了|用|"
        r"买了|买|钱|单|东西|商品|货|哪儿|哪里|什么上面|上面|方面|大家|所有人|公司|集团|企业|全公司|部门|各部门|每个部门|各个|人|谁|前[一二三四五十\d]+|分类|品类|类目|类别|种类|按|看|每个?月|每月|月份?|月|"
        r"分别|最多|最少|排名|前几|总|主要|哪些东西上|上|比|多|少|高|低|额|下|得|上的|员工|同事|个|出去|其中",
    ),
    _build_row(
        Act.SHIPPED,
        r"T.{0,6}发(?:了)?.{0,3}货|发(?:了)?货.{0,6}T|(?:发货了)(?:哪些|几)",
        unless=r"没发货|未发货|待发货|多久",
        words=rf"{ORDER_WORDS}",
    ),
    _build_row(
        Act.ORDER,
        r"O|R(?:单|订单).{0,6}|^R.{0,6}(?:什么时候到|几时到|到哪|到了|能到|送到|发货|物流|谁提|谁的)|(?:最近|最新|最后|上)(?:一|下|发|Q|的)?.{0,4}(?:笔|个|张|单|订单).{0,8}(?:到|状态|情况|物流|快递|发货|怎么样|单号)|"
        r"(?:我的|那个)?订单.{0,2}(?:到哪|什么时候|几时|啥时候|何时|怎么样|状态)|(?:快递|物流|运)单号|物流|(?:快递|包裹).{0,4}(?:到|走)|最近一次(?:下单|订单)",
        unless=r"怎么|哪些|几个|有几|W|发票|订单号在",
        words=rf"{ORDER_WORDS}|笔|个|那单|那张|那个|一下|买了啥|买了什么|一次|走|哪里|买的|买|里面|提的|谁|啥",
    ),
    _build_row(
        Act.ORDERS,
        rf"(?:{STATE_WORDS}).{{0,8}}(?:订单|单子|单|包裹)|(?:订单|单子|单|包裹).{{0,8}}(?:{STATE_WORDS})|"
        rf"^(?:我|P)?(?:还)?(?:有)?(?:几个|哪些)?(?:{STATE_WORDS})(?:的)?(?:有哪些|有几个|有吗|有多少)?$|"
        r"货.{0,2}(?:没到|没收到|没来)|"
        r"下(?:了|过|的)?.{0,4}(?:单|订单)|^(?:我的|最近的?|全部|所有)?订单|订单.{0,4}(?:有|几|多少|列表|哪些)|"
        r"(?:几|多少|哪些)(?:个|张|笔)?(?:单|订单)|没到货|包裹|没(?:签收|收到)的(?:货|东西)|T的?(?:订单|单子)|最近的?(?:订单|单子)|"
        rf"(?:{STATE_WORDS})的$",
        unless=r"怎么|如何|W|(?:到货|签收|收货)了|[GK].{0,3}Q|Q.{0,3}[GK]|[KG]|订单和发票|发票和订单|[GK].*(?:来|买|加)Q",
        words=rf"{ORDER_WORDS}|个|张|笔|一共|总共|总|签收|货|那些|列表|被|拖|着|东西|件|共",
    ),
    _build_row(
        Act.COMPARE,
        r"比较|对比|比一下|比一比|比比|区别|差别|差在|不同|哪(?:个|款|种|家|一个|一款|一家|个牌子|个品牌|家店)?(?:更|比较|最)?"
        r"(?:好|便宜|划算|值|贵|合适|合算|省钱|实惠)|(?:跟|和|与|同|比).*(?:比|贵|便宜)|vs|划算还是|便宜还是|好还是|还是.{0,4}(?:划算|便宜|好|合算)|贵多少|便宜多少|差多少",
        fits=_names_several_things,
    ),
    _build_row(
        Act.PACKS,
        r"(?:G|R).*(?:N|整盒|整箱|大包装|散装|单支|其他包装|别的包装|批量装)|(?:G|R).*(?:买Q和(?:买)?Q|Q还是Q|Q和Q).*(?:合算|划算|便宜)",
        fits=_points_at_product,
    ),
    _build_row(
        Act.COLOURS, r"(?:哪些|什么|几种|其他|别的|多少)颜色|颜色有", fits=_points_at_product
    ),
    _build_row(
        Act.CHEAPER,
        r"比[GR].{0,4}(?:便宜|低|实惠)|[GR].{0,8}太贵|[GR].*便宜(?:点|一点|些|的)|(?:跟|和)[GR].*(?:便宜|低|实惠)|"
        r"[GR].*(?:价格|价钱)?(?:更)?低(?:点|一点|些)",
        fits=_points_at_product,
    ),
    _build_row(
        Act.SAME,
        r"[GR].*C",
        unless=r"CK多少|除了",
        fits=lambda slots: _points_at_product(slots) and bool(slots.colours or slots.excluded),
    ),
    _build_row(
        Act.SAME,
        r"[GR].*(?:换|改|要)成?C",
        fits=_points_at_product,
    ),
    _build_row(
        Act.SUBSTITUTE,
        r"替代|代替|替换|类似|差不多|同类|平替|(?:缺货|没货|没有货|断货|买不到).{0,12}(?:换|用|什么|啥|推荐|哪)|换什么",
        fits=_points_at_product,
    ),
    _build_row(
        Act.CART_ADD,
        rf"{ADDING}",
        unless=r"怎么|如何|为什么",
    ),
    _build_row(
        Act.CART_ADD,
        rf"Q|(?:{BUYING})",
        unless=r"(?:找|推荐|搜|查|看).{0,6}Q|多少钱|有没有|有吗|哪|什么|吗|呢|贵|便宜|太|比",
        fits=lambda slots: bool(
            slots.quantities and (slots.kinds or slots.codes or slots.references or slots.brands)
        ),
    ),
    _build_row(
        Act.FACTS,
        r"[GR]",
        fits=_points_at_product,
    ),
    _build_row(
        Act.FIND,
        r"[KBCMN]",
        unless=r"^[CMBN的要]*$",
        fits=lambda slots: bool(slots.kinds or slots.brands),
    ),
)


def find_act(slots: Slots) -> ActRow | None:
    """Return the row of the requested act, or None if no row fits."""
    if _asks_kit(slots) and not re.search(r"花|预算(?:还|剩)|多少钱", slots.masked_text):
        return KIT_ROW
    return next((row for row in TABLE if row.matches(slots)), None)


KIT_ROW = _build_row(Act.KIT, r".")
# Filler words that mean nothing to an act.
FILLERS = re.compile(
    r"什么时候|啥时候|咋样|咋回事|咋|有没有|看一下|看一看|看看|看下|查一下|查查|查看|查询|告诉|帮忙|帮我|请问|麻烦|我想知道|想知道|想问问?|知道|"
    r"现在|目前|到现在|截至|一共|总共|累计|合计|大概|左右|分别|怎么样|怎样了|怎样|多少|几个|几张|几单|几笔|几次|哪些|"
    r"哪几|哪个|哪家|什么|为啥|啥|情况|数据|统计|应该|可以|能否|已经|还是|还有|这个|那个|我们|咱们|公司|具体|的话|就是|全部|所有|"
    r"一下|一些|一点|有点|给我|瞅瞅|瞧瞧|列出来|列一下|列出|说说|说一下|讲讲|另外|顺便|然后|"
    r"[我你您他她咱们请帮查看找给的了吗呢吧啊呀嘛哦是有没还都就在到和与及跟这那个些几多少想要会能把被让对为以从最比更再也又只共总各每上里中间内外下来去过着得地]"
)
PUNCTUATION = re.compile(
    r"[\s,.;:!?。，；：！？、…~\"'“”‘’()（）\[\]【】<>《》/\\|+*=_\-#@&%$￥¥]+"
)


# A department that the group does not have: known ones are the letter D.
UNKNOWN_PLACE = re.compile(
    r"(?!(?:各|每个|哪个|我们|咱们|我的|本)部)[一-鿿]{2}(?:部(?![门分])|车间|中心|科室|事业部)"
)


def list_unknown_words(slots: Slots, row: ActRow) -> list[str]:
    """Return the words of the request that its act does not understand. Empty for an act that
    takes every word.
    """
    if row.words is None:
        return []
    if place := UNKNOWN_PLACE.search(slots.masked_text):
        return [place[0]]
    remaining_text = PUNCTUATION.sub(" ", slots.masked_text)
    remaining_text = re.sub(r"[A-Z]", " ", row.words.sub(" ", remaining_text))
    remaining_text = FILLERS.sub(" ", remaining_text)
    return [word for word in remaining_text.split() if len(word) > 1 or word.isascii()]
