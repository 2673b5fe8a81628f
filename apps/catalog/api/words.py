"""What /api/docs says of each operation of this app: by group, then by address, a summary and what there is to know."""

from __future__ import annotations

from apps.common.api.operation_words import Words

WORDS: Words = {
    "商品": {
        "GET /api/Product": (
            "查询商品列表",
            "只含本客户可见的商品，价格为本客户的价格；未登录时为公开目录与市场价。Facets=0、Total=0 可省去筛选项与总数的统计。",
        ),
        "GET /api/Product/{ProductCode}": ("查询商品详情", "不存在与无权查看的应答相同；已下架的商品仍可查看。"),
        "POST /api/Product/Search": ("搜索商品联想", "按关键词返回最多 10 个商品，没有匹配时按拼音查找。"),
        "GET /api/Search/Suggest": ("查询搜索建议", "返回商品、类目、品牌与本人的搜索历史；没有关键词时只返回历史。"),
        "DELETE /api/Search/History": ("清除搜索历史", "没有指定关键词时清除全部；返回清除的条数。"),
        "POST /api/Product/SupposeCategory": ("查询热门搜索词", "按指定时段内的搜索与下单统计，置顶词在前。"),
        "POST /api/Product/ImageSearch": ("以图搜索商品", "上传一张不超过 2MB 的图片；应答中的 ImageKey 可用于商品列表，只对本人有效。"),
        "GET /api/Product/Compare": ("对比商品", "不存在或无权查看的商品不列出。"),
        "PATCH /api/Product/{ProductCode}/OwnName": (
            "设置商品自有名称与物料编码",
            "对全集团生效；两项都为空时恢复协议中的名称与编码，物料编码不能与其他商品重复。",
        ),
        "GET /api/Product/{ProductCode}/Document/{DocumentId}": ("下载商品资料", "可查看该商品者即可下载；直接返回文件，不在信封内。"),
        "POST /api/Category/GetCustomerCategories": ("查询本客户类目树", "只含有在售商品的类目，附商品数量。"),
        "POST /api/Category/MallCategories": ("查询公开类目树", "只含公开目录中有在售商品的类目，附商品数量。"),
    },
    "收藏与浏览": {
        "GET /api/Favorite": ("查询收藏或浏览记录", "Type 为 1 是收藏，2 是浏览记录；已不可购买的商品也会列出并注明。"),
        "POST /api/Favorite/Add": ("添加收藏或浏览记录", "重复添加时移到最前。收藏最多 500 个，浏览记录保留最近 100 个。"),
        "DELETE /api/Favorite/{TargetId}": ("移除一个收藏或浏览记录", ""),
        "POST /api/Favorite/Remove": ("批量移除收藏或浏览记录", "返回实际移除的个数，已不在列表中的不算错误。"),
        "POST /api/Favorite/Clear": ("清空收藏或浏览记录", "返回移除的个数。"),
    },
    "选型与快速下单": {
        "POST /api/Product/Select": (
            "一键选型",
            "提交文字或表格时为每一行给出候选商品，提交场景时给出不超过预算的组合。每次最多 200 行，不写入数据。",
        ),
        "GET /api/Product/SelectScenario": ("查询选型场景", ""),
        "POST /api/Product/Select/Export": ("导出选型结果", "按当前价格重新计算后导出。"),
    },
    "意向询价": {
        "GET /api/ProductInquiry": ("查询询价单列表", "返回数据范围内的询价单，新提交的在前，附各状态的数量。"),
        "POST /api/ProductInquiry": ("提交询价单", "提交后为待报价。"),
        "GET /api/ProductInquiry/{InquiryNo}": ("查询询价单详情", ""),
        "POST /api/ProductInquiry/{InquiryNo}/AskAgain": ("重新询价", "已报价或已关闭的询价单回到待报价，原报价不再是本客户的价格。"),
        "POST /api/ProductInquiry/{InquiryNo}/Close": ("关闭询价单", "只能关闭待报价或已报价的询价单。"),
        "POST /api/ProductInquiry/{InquiryNo}/Message": ("发送询价留言", ""),
        "POST /api/ProductInquiry/{InquiryNo}/Read": ("标记询价单已读", "只有申请人本人查看才会改变已读状态。"),
    },
}
