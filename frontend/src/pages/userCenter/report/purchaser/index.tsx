import { ReportScreen } from '@/domain/reports/ReportScreen'
import { reportLoader } from '@/domain/reports/loader'

export const loader = reportLoader('Purchaser')

export const Component = () => <ReportScreen key="Purchaser" name="Purchaser" />
