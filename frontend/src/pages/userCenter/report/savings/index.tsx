import { ReportScreen } from '@/domain/reports/ReportScreen'
import { reportLoader } from '@/domain/reports/loader'

export const loader = reportLoader('Savings')

export const Component = () => <ReportScreen key="Savings" name="Savings" />
