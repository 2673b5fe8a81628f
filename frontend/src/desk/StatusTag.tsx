import { Tag, type Tone } from '@/ui/Small'

/**
 * A state in its colour: good is green, waiting is the brand colour, a warning is amber, a failure
 * is red.
 */
export const StatusTag = ({ text, tone = 'plain' }: { text: string; tone?: Tone }) => (
  <Tag tone={tone}>{text}</Tag>
)
