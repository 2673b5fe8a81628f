import type { UploadedFile } from '@/api/upload'
import type { OwnReview, ReviewLine, TagCode } from '@/domain/reviews/reviews'

/** The draft of a review; 0 stars means not chosen yet. */
export interface Draft {
  Stars: number
  Tags: readonly TagCode[]
  Text: string
  Files: readonly UploadedFile[]
}

export const MAX_TAGS = 5
export const MAX_TEXT = 500
export const EMPTY: Draft = { Stars: 0, Tags: [], Text: '', Files: [] }

/** The negative tags, offered for few stars. */
const NEGATIVE_TAGS: ReadonlySet<TagCode> = new Set([
  'poor_quality',
  'not_as_described',
  'badly_packed',
  'slow',
])
export const isTagForStars = (code: TagCode, stars: number): boolean =>
  stars >= 4 ? !NEGATIVE_TAGS.has(code) : stars >= 1 && stars <= 2 ? NEGATIVE_TAGS.has(code) : true

/** Another number of stars offers other tags. */
export const setStars = (draft: Draft, Stars: number): Draft => ({
  ...draft,
  Stars,
  Tags: draft.Tags.filter((code) => isTagForStars(code, Stars)),
})

export const createDraft = (review: OwnReview): Draft => ({
  Stars: review.Stars,
  Tags: review.Tags.map(({ Code }) => Code),
  Text: review.Text,
  Files: review.Pictures,
})

export const buildReviewLine = (
  OrderLineId: string,
  { Stars, Tags, Text, Files }: Draft,
): ReviewLine => ({
  OrderLineId,
  Stars,
  Tags: [...Tags],
  Text: Text.trim(),
  FileIds: Files.map(({ FileId }) => FileId),
})
