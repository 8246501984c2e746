//! Measures every call of a provider's interface, by its outcome.
import type { LabelsOf } from '../platform/telemetry/metric-table.ts';
import { observe } from '../platform/telemetry/metrics.ts';
import type { Outcome } from './outcome.ts';

type Labels = LabelsOf<'holdfast_provider_call_seconds'>;

/** The methods that call the provider; each is in the list of the metric's label. */
type CallsOf<P> = {
  [M in keyof P]: P[M] extends (...args: never[]) => Promise<Outcome<unknown>> ? M : never;
}[keyof P];

type Method = (...args: readonly unknown[]) => Promise<Outcome<unknown>>;

/** Measures each of these methods of the provider from now on: all that it has. */
export function measureCalls<P extends object>(
  provider: Labels['provider'],
  target: P,
  calls: Readonly<Record<CallsOf<P> & Labels['call'], true>>,
): P {
  const measured = Object.keys(calls).map((call) => {
    const method = (target[call as keyof P] as Method).bind(target);
    const run: Method = async (...args) => {
      const startedAt = performance.now();
      const end = (outcome: Labels['outcome']) =>
        observe('holdfast_provider_call_seconds', (performance.now() - startedAt) / 1000, {
          provider,
          call: call as Labels['call'],
          outcome,
        });
      const outcome = await method(...args);
      end(outcome.kind);
      return outcome;
    };
    return [call, run] as const;
  });
  return Object.assign(target, Object.fromEntries(measured));
}
