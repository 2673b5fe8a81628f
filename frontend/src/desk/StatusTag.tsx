import { Tag, type Tone } from '@/ui/Small'

/** A state in its colour: what is well is green, what waits is brand, what needs care amber, what failed red. */
export const StatusTag = ({ text, tone = 'plain' }: { text: string; tone?: Tone }) => <Tag tone={tone}>{text}</Tag>
