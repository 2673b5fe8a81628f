"""Texts of /api/docs for the operations of this app: by group, then by path, a summary and a
description.
"""

from __future__ import annotations

from apps.common.api.docs import Examples, Words

OPERATION_TEXTS: Words = {
    "商品": {
        "GET /api/Device/Brands": ("查询设备品牌", "耗材查找的第一步，按后台的排序返回。"),
        "GET /api/Device": (
            "查询机型",
            "只含本客户目录内有适用商品的机型，至多 50 个；`Key` 按机型与别名的开头匹配。",
        ),
        "GET /api/Device/{DeviceId}/Products": (
            "查询机型适用的商品",
            "只含本客户可见的在售商品，按类目排列，有货在前，至多 100 个。",
        ),
        "GET /api/Product/{ProductCode}/Shortage": (
            "查询缺货时的办法",
            "预计到货日、本人是否已登记到货提醒，以及库存不少于 `Quantity` 的替代商品及其差别。",
        ),
        "GET /api/Product/Shortages": (
            "批量查询缺货时的办法",
            "同单个商品的查询，`Item` 为“商品编码:数量”，可重复；不存在与无权查看的商品不返回。",
        ),
        "GET /api/RestockReminder": (
            "查询到货提醒",
            "等待到货的在前，其次为最近提醒的；已不在目录的商品仍列出，但没有价格。",
        ),
        "POST /api/RestockReminder": (
            "登记到货提醒",
            "商品可以购买时提醒一次；重复登记不产生第二次提醒，现在有货的商品不能登记。",
        ),
        "DELETE /api/RestockReminder/{ProductCode}": (
            "移除到货提醒",
            "等待中的与已提醒的都会移除；没有登记时不报错。",
        ),
        "GET /api/Product/{ProductCode}/Devices": (
            "查询商品的适用机型",
            "按设备品牌排列，至多 300 个；不存在与无权查看的应答相同。",
        ),
        "GET /api/Product": (
            "查询商品列表",
            (
                "只含本客户可见的商品，价格为本客户的价格；未登录时为公开目录与市场价。Facets=0、"
                "Total=0 可省去筛选项与总数的统计。"
            ),
        ),
        "GET /api/Product/{ProductCode}": (
            "查询商品详情",
            "不存在与无权查看的应答相同；已下架的商品仍可查看。",
        ),
        "POST /api/Product/Search": (
            "搜索商品联想",
            "按关键词返回最多 10 个商品，没有匹配时按拼音查找。",
        ),
        "GET /api/Search/Suggest": (
            "查询搜索建议",
            "返回商品、类目、品牌与本人的搜索历史；没有关键词时只返回历史。",
        ),
        "DELETE /api/Search/History": (
            "清除搜索历史",
            "没有指定关键词时清除全部；返回清除的条数。",
        ),
        "POST /api/Product/SupposeCategory": (
            "查询热门搜索词",
            "按指定时段内的搜索与下单统计，置顶词在前。",
        ),
        "POST /api/Product/ImageSearch": (
            "以图搜索商品",
            "上传一张不超过 2MB 的图片；应答中的 ImageKey 可用于商品列表，只对本人有效。",
        ),
        "GET /api/Product/Compare": ("对比商品", "不存在或无权查看的商品不列出。"),
        "PATCH /api/Product/{ProductCode}/OwnName": (
            "设置商品自有名称与物料编码",
            "对全集团生效；两项都为空时恢复协议中的名称与编码，物料编码不能与其他商品重复。",
        ),
        "GET /api/Product/{ProductCode}/Document/{DocumentId}": (
            "下载商品资料",
            "可查看该商品者即可下载；直接返回文件，不在信封内。",
        ),
        "POST /api/Category/GetCustomerCategories": (
            "查询本客户类目树",
            "只含有在售商品的类目，附商品数量。",
        ),
        "POST /api/Category/MallCategories": (
            "查询公开类目树",
            "只含公开目录中有在售商品的类目，附商品数量。",
        ),
    },
    "收藏与浏览": {
        "GET /api/Favorite": (
            "查询收藏或浏览记录",
            "Type 为 1 是收藏，2 是浏览记录；已不可购买的商品也会列出并注明。",
        ),
        "POST /api/Favorite/Add": (
            "添加收藏或浏览记录",
            "重复添加时移到最前。收藏最多 500 个，浏览记录保留最近 100 个。",
        ),
        "DELETE /api/Favorite/{TargetId}": ("移除一个收藏或浏览记录", ""),
        "POST /api/Favorite/Remove": (
            "批量移除收藏或浏览记录",
            "返回实际移除的个数，已不在列表中的不算错误。",
        ),
        "POST /api/Favorite/Clear": ("清空收藏或浏览记录", "返回移除的个数。"),
    },
}

PARAMETER_TEXTS = {
    "DocumentId": "资料编号，来自商品详情",
    "ProductCode": "商品编码，只含数字",
    "Attr": "属性，写作 名称:值，可重复",
    "Brand": "品牌，可重复",
    "Cid": "类目编号",
    "Compare.Code": "商品编码，可重复",
    "BrandId": "设备品牌编号",
    "DeviceId": "机型编号",
    "Dropped": "是否只返回降价的",
    "Facets": "是否返回类目、品牌、属性与价格的筛选项",
    "InStock": "是否只返回有货的",
    "Key": "已输入的文字",
    "MaxBaseUnitPrice": "最高折合单价（元，至多四位小数，按显示的价格比较）",
    "MaxPrice": "最高价格",
    "MinBaseUnitPrice": "最低折合单价（元，至多四位小数，按显示的价格比较）",
    "MinPrice": "最低价格",
    "Product.PageSize": "每页条数；未登录时最多 100",
}

EXAMPLES = Examples(
    values={
        "BaseUnit": "支",
        "Contents": 12,
        "BaseUnitPrice": "1.75",
        "Search": "签字笔 蓝色",
        "ProductCode": "110001",
        "ProductName": "卓砚 ZY-1103 按动中性笔 0.38mm 黑色",
        "CustomerProductName": "中性笔 0.5mm 黑色",
        "OwnName": "中性笔 0.5mm 黑色",
        "CustomerCode": "XLM0000409",
        "OwnCode": "XLM0000409",
        "ModelCode": "ZY-1103",
        "Barcode": "6901234567892",
        "PartNumber": "CF388A",
        "Aliases": "M1005;M1005MFP",
        "DeviceKindText": "打印机",
        "CompatibilityText": "兼容",
        "Own": "0.5mm",
        "TaxCode": "1060105020000000000",
        "Brand": "卓砚",
        "Model": "ZY-1103",
        "Pack": "12支/盒",
        "Piece": "支",
        "Category": "中性笔",
        "CategoryGroup": "办公用品",
        "CategoryGroupCode": "office",
        "Unit": "支",
        "TaxRate": "0.13",
        "Key": "中性笔",
        "Keyword": "中性笔",
        "Keywords": "中性笔",
        "Understood": "中性笔，黑色",
        "Description": "部分商品已从上海仓发出",
        "ImageUrl": "/media/products/110001.webp",
        "Picture": "/media/products/110001.webp",
        "ImageKey": "img_9f1c2d7a4b6e8035",
    },
    items={
        "ProductCodes": "110001",
        "Codes": "110001",
        "Images": "/media/products/110001.webp",
        "Brands": "卓砚",
        "SellingPoints": "书写顺滑",
        "History": "中性笔",
        "Relaxed": "静音",
        "Axes": "颜色",
    },
    components={
        "Product": {
            "Name": "卓砚 ZY-1103 按动中性笔 0.38mm 黑色",
            "Title": "卓砚 ZY-1103 按动中性笔 0.38mm 黑色",
        },
        "Category": {"Name": "中性笔"},
        "PhrasePart": {"Kind": "price", "Label": "价格 ≤ 10 元", "Keyword": "中性笔"},
    },
)
