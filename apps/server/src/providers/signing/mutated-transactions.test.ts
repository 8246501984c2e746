// T39: an honest transaction is refused when any bit is flipped. Exceptions are the parts that the
// provider may choose: sequence, bounds within the limit, fee below the cap, resources, the salt of
// a deployment, texts without effect.
import { xdr } from '@stellar/stellar-sdk/base';
import { expect, it } from 'vitest';
import { useHonestSteps } from '../../testing/honest-steps.ts';
import { authorise, callOf, decodeTx, encodeTx, invocation, invoke } from '../../testing/tamper.ts';
import { checkTransaction } from './transaction-policy.ts';

const { parties, steps, network } = useHonestSteps();

/** The transaction without the parts that the provider may choose: equal means no other change. */
function essence(text: string): string {
  const tx = decodeTx(text);
  const call = callOf(text);
  const args = call.args.map((value, at) => {
    if (call.functionName.startsWith('tw_new_') && at === 2) return xdr.ScVal.scvVoid();
    return wordless(value);
  });
  const bare = invocation({ ...call, args });
  const { sourceAccount, memo } = tx;
  return encodeTx(
    new xdr.Transaction({
      sourceAccount,
      memo,
      fee: 0,
      seqNum: 0n,
      cond: xdr.Preconditions.precondNone(),
      operations: [invoke(bare, [authorise(bare)])],
      ext: xdr.TransactionExt.v0(),
    }),
  );
}

/** Status and evidence of a milestone are texts that no money depends on. */
function wordless(value: xdr.ScVal): xdr.ScVal {
  if (value.type === 'scvVec') return xdr.ScVal.scvVec((value.vec ?? []).map(wordless));
  if (value.type !== 'scvMap') return value;
  return xdr.ScVal.scvMap(
    (value.map ?? []).map(({ key, val }) => {
      const name = key.type === 'scvSymbol' ? key.value : '';
      const isWord = (name === 'status' || name === 'evidence') && val.type === 'scvString';
      return new xdr.ScMapEntry({ key, val: isWord ? xdr.ScVal.scvVoid() : wordless(val) });
    }),
  );
}

/** Decoding is slow; every sixth byte, starting elsewhere in each transaction, is plenty. */
const STRIDE = 6;

it('signs no transaction whose effect a flipped bit changed', () => {
  let [tried, passed] = [0, 0];
  for (const [first, { step, xdr: honest }] of Object.values(steps).entries()) {
    const raw = Buffer.from(honest, 'base64');
    const original = essence(honest);
    for (let at = first % STRIDE; at < raw.length; at += STRIDE) {
      const mutated = Buffer.from(raw);
      mutated[at] = (mutated[at] ?? 0) ^ (1 << (tried % 8));
      const text = mutated.toString('base64');
      const checked = checkTransaction(text, { ...parties.settings, step, now: network.now });
      tried += 1;
      if (checked.kind !== 'done') continue;
      passed += 1;
      expect(essence(text), `${step.step}, byte ${at}`).toBe(original);
    }
  }
  expect(tried).toBeGreaterThan(1_000);
  expect(passed).toBeLessThan(tried / 10);
});
