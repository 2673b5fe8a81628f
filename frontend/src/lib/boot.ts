/** What rides in the page as JSON (`<script id="boot" type="application/json">`): no call is needed for it. */

export interface Link {
  Name: string
  Url: string
}

export interface Boot {
  Brand: { Name: string; Slogan: string; LogoUrl: string | null }
  TopBanner: { Id: string; Text: string; ImageUrl: string | null; Url: string | null } | null
  Banners: { Title: string; Subtitle: string; ImageUrl: string | null; Url: string; Tone: string }[]
  Navigation: { Title: string; Links: Link[] }[]
  QrCodes: { Name: string; ImageUrl: string }[]
  Links: { GroupSite: string | null; EnglishSite: string | null; IndustrialGoods: string | null; CustomerService: string | null }
  Footer: { Columns: { Title: string; Links: Link[] }[]; Licences: string[]; Copyright: string; BusinessLicence: string | null; ServiceHours: string; Phone: string | null }
  OldMallEnabled: boolean
  /** A hidden form by POST, or an address with query parameters. */
  OldMallMethod: 'post' | 'redirect'
  /** Origins beside our own that a person may be led to. */
  RedirectOrigins: string[]
  TestPages: boolean
  WeChatWorkEnabled: boolean
}

const DEFAULTS: Boot = {
  Brand: { Name: '文采商城', Slogan: '企业办公用品一站式采购', LogoUrl: null },
  TopBanner: null,
  Banners: [],
  Navigation: [],
  QrCodes: [],
  Links: { GroupSite: null, EnglishSite: null, IndustrialGoods: null, CustomerService: null },
  Footer: { Columns: [], Licences: [], Copyright: '', BusinessLicence: null, ServiceHours: '工作日 9:00-18:00', Phone: null },
  OldMallEnabled: false,
  OldMallMethod: 'post',
  RedirectOrigins: [],
  TestPages: false,
  WeChatWorkEnabled: false,
}

export function readBoot(text: string | null | undefined): Boot {
  try {
    const given = JSON.parse(text ?? '{}') as Partial<Boot>
    return {
      ...DEFAULTS,
      ...given,
      Brand: { ...DEFAULTS.Brand, ...given.Brand },
      Links: { ...DEFAULTS.Links, ...given.Links },
      Footer: { ...DEFAULTS.Footer, ...given.Footer },
    }
  } catch {
    return DEFAULTS
  }
}

export const boot: Boot = readBoot(document.getElementById('boot')?.textContent)
