import { useQuery } from '@tanstack/react-query'
import { useSession } from '@/lib/session'
import { FactorProof, getProof, type ProofFields } from './FactorProof'
import { PasswordProof } from './PasswordProof'
import { secondFactor, type Proof } from './secondFactor'

export type OwnerProofFields = ProofFields & { Password?: string }

/** The second factor of the signed-in person. Nothing for a person without one. */
export function OwnFactorProof() {
  const uid = useSession()?.User.uid ?? ''
  const { data } = useQuery({ ...secondFactor(uid), enabled: uid !== '' })
  return data?.Enabled ? <FactorProof of={data} /> : null
}

/** The own password, and the second factor of a person who has one: proves the owner. */
export const OwnerProof = ({ label, extra }: { label?: string; extra?: string }) => (
  <>
    <PasswordProof {...(label ? { label } : {})} {...(extra ? { extra } : {})} />
    <OwnFactorProof />
  </>
)

/** The fields of the second factor in a body; none if the form did not ask for it. */
export const getFactor = ({ SecondFactorCode, Passkey }: ProofFields): Proof =>
  SecondFactorCode || Passkey
    ? getProof({
        ...(SecondFactorCode ? { SecondFactorCode } : {}),
        ...(Passkey ? { Passkey } : {}),
      })
    : {}

/** The values of a form with the proof as the server expects it. */
export function withOwnerProof<T extends OwnerProofFields>({
  SecondFactorCode,
  Passkey,
  ...rest
}: T): Omit<T, keyof ProofFields> & Proof {
  return {
    ...rest,
    ...getFactor({
      ...(SecondFactorCode ? { SecondFactorCode } : {}),
      ...(Passkey ? { Passkey } : {}),
    }),
  }
}

/** The fields of the proof in an uploaded form, whose values are texts. */
export const getUploadProof = ({
  Password,
  SecondFactorCode,
  Passkey,
}: OwnerProofFields): Readonly<Record<string, string>> => ({
  ...(Password ? { Password } : {}),
  ...(Passkey ? { Passkey } : {}),
  ...(SecondFactorCode && !Passkey ? { SecondFactorCode: SecondFactorCode.trim() } : {}),
})
