import type { UploadedFile } from '@/api/upload'
import type { OwnReview, Said, TagCode } from '@/domain/reviews/reviews'

/** What is being said of a line; no stars is not yet. */
export interface Draft {
  Stars: number
  Tags: readonly TagCode[]
  Text: string
  Files: readonly UploadedFile[]
}

export const MOST_TAGS = 5
export const MOST_TEXT = 500
export const EMPTY: Draft = { Stars: 0, Tags: [], Text: '', Files: [] }

/** The tags that say what went wrong: offered where the stars are few. */
const BAD: ReadonlySet<TagCode> = new Set(['poor_quality', 'not_as_described', 'badly_packed', 'slow'])
export const suits = (code: TagCode, stars: number): boolean => (stars >= 4 ? !BAD.has(code) : stars >= 1 && stars <= 2 ? BAD.has(code) : true)

/** Other stars make other tags fit. */
export const starred = (draft: Draft, Stars: number): Draft => ({ ...draft, Stars, Tags: draft.Tags.filter((code) => suits(code, Stars)) })

export const draftOf = (review: OwnReview): Draft => ({ Stars: review.Stars, Tags: review.Tags.map(({ Code }) => Code), Text: review.Text, Files: review.Pictures })

export const saidOf = (OrderLineId: string, { Stars, Tags, Text, Files }: Draft): Said => ({ OrderLineId, Stars, Tags: [...Tags], Text: Text.trim(), FileIds: Files.map(({ FileId }) => FileId) })
