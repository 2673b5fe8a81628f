export { readPage, useFilters } from '@/lib/useFilters'
