/**
 * Data that the server puts into the page as JSON (`<script id="boot" type="application/json">`),
 * so that it needs no call.
 */

/** The audience; empty for everybody. The page contains all entries and filters them here. */
export type Audience = '' | 'visitor' | 'member'

export interface Link {
  Name: string
  Url: string
  For: Audience
}

export interface Boot {
  Brand: { Name: string; Slogan: string; LogoUrl: string | null }
  TopBanners: {
    Id: string
    Text: string
    ImageUrl: string | null
    Url: string
    Tone: string
    For: Audience
  }[]
  Banners: {
    Title: string
    Subtitle: string
    ImageUrl: string | null
    Url: string
    Tone: string
    For: Audience
  }[]
  Announcements: { Id: string; Title: string; At: string; For: Audience }[]
  Navigation: { Title: string; Links: Link[] }[]
  QrCodes: { Name: string; ImageUrl: string }[]
  Links: {
    GroupSite: string | null
    EnglishSite: string | null
    IndustrialGoods: string | null
    CustomerService: string | null
  }
  Footer: {
    Columns: { Title: string; Links: Link[] }[]
    Licences: string[]
    Copyright: string
    HasBusinessLicence: boolean
    ServiceHours: string
    Phone: string | null
  }
  OldMallEnabled: boolean
  /** A hidden form by POST, or an address with query parameters. */
  OldMallMethod: 'post' | 'redirect'
  /** Other origins that a redirect may lead to. */
  RedirectOrigins: string[]
  TestPages: boolean
  WeChatWorkEnabled: boolean
  /** The page is a preview of the site at that moment. */
  Preview: { At: string; IsDraft: boolean } | null
}

const DEFAULTS: Boot = {
  Brand: { Name: '文采商城', Slogan: '企业办公用品一站式采购', LogoUrl: null },
  TopBanners: [],
  Banners: [],
  Announcements: [],
  Navigation: [],
  QrCodes: [],
  Links: { GroupSite: null, EnglishSite: null, IndustrialGoods: null, CustomerService: null },
  Footer: {
    Columns: [],
    Licences: [],
    Copyright: '',
    HasBusinessLicence: false,
    ServiceHours: '工作日 9:00-18:00',
    Phone: null,
  },
  OldMallEnabled: false,
  OldMallMethod: 'post',
  RedirectOrigins: [],
  TestPages: false,
  WeChatWorkEnabled: false,
  Preview: null,
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

/** Select the rows for a visitor or for a signed-in person. */
export const selectFor = <T extends { For: Audience }>(
  rows: readonly T[],
  isSignedIn: boolean,
): T[] => rows.filter((row) => row.For === '' || row.For === (isSignedIn ? 'member' : 'visitor'))

/** Select the links of each column for this person. Empty columns are left out. */
export const columnsFor = (
  columns: readonly { Title: string; Links: Link[] }[],
  isSignedIn: boolean,
): { Title: string; Links: Link[] }[] =>
  columns
    .map(({ Title, Links }) => ({ Title, Links: selectFor(Links, isSignedIn) }))
    .filter(({ Links }) => Links.length > 0)
