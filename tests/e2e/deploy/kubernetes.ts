//! The objects that an overlay renders: valid by the schemas of Kubernetes, and as they should be.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import type { Process } from '../../../apps/server/src/platform/config/settings.ts';
import { ROOT } from '../../../tools/pack/manifest.ts';
import { type DeployedProcess, faultsOf, IDENTITY } from './process.ts';

interface KubernetesObject {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec?: Readonly<Record<string, unknown>> & { readonly template?: { spec: PodSpec } };
}

interface Variable {
  readonly name: string;
  readonly value: string;
}

interface Probe {
  readonly periodSeconds: number;
  readonly failureThreshold: number;
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly args: readonly [Process];
  readonly env: readonly Variable[];
  readonly envFrom?: readonly { readonly configMapRef: { readonly name: string } }[];
  readonly resources?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  readonly securityContext?: unknown;
  readonly startupProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[];
}

interface PodSpec {
  readonly containers: readonly [Container];
  readonly volumes: readonly { readonly name: string; readonly secret?: { secretName: string } }[];
  readonly enableServiceLinks?: boolean;
  readonly automountServiceAccountToken?: boolean;
  readonly serviceAccountName?: string;
  readonly terminationGracePeriodSeconds?: number;
  readonly securityContext?: unknown;
}

/** The longest that a process takes to end: HOLDFAST_DRAIN_MS and HOLDFAST_SHUTDOWN_MS. */
const END_SECONDS = 40;

export function render(overlay: string): KubernetesObject[] {
  const folder = join(ROOT, 'deploy/kubernetes', overlay);
  const text = execFileSync('kubectl', ['kustomize', folder], { encoding: 'utf8' });
  return parseAllDocuments(text).map((document) => document.toJS() as KubernetesObject);
}

export async function faultsInOverlay(overlay: string): Promise<string[]> {
  const objects = render(overlay);
  const faults: string[] = [];
  for (const object of objects) {
    const where = `${overlay} ${object.kind} ${object.metadata.name}`;
    faults.push(...(await schemaFaults(object)).map((fault) => `${where}: ${fault}`));
    const pod = object.spec?.template?.spec;
    if (pod === undefined) continue;
    faults.push(...podFaults(pod).map((fault) => `${where}: ${fault}`));
    if (object.kind === 'Deployment')
      faults.push(...servingFaults(object, pod, objects).map((fault) => `${where}: ${fault}`));
    faults.push(...faultsOf(processIn(where, pod, objects)));
  }
  // A key that looks right would only fail at the first call.
  for (const { kind, data = {} } of objects)
    if (kind === 'ConfigMap' && data['HOLDFAST_ENGINE_IDENTITY_KEYS'])
      faults.push(`${overlay}: it has the key of some Restate`);
  const kinds = objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`);
  for (const wanted of WANTED) if (!kinds.includes(wanted)) faults.push(`${overlay}: no ${wanted}`);
  return faults;
}

const WANTED = [
  'Deployment holdfast-api',
  'Deployment holdfast-worker',
  'Job holdfast-migrate',
  'PodDisruptionBudget holdfast-api',
  'PodDisruptionBudget holdfast-worker',
  'NetworkPolicy holdfast-deny-all',
];

/** `kubernetes-models` has a class for each kind; other kinds have schemas of their own. */
async function schemaFaults(object: KubernetesObject): Promise<string[]> {
  const { apiVersion, kind } = object;
  const { [kind]: Model } = (await import(`kubernetes-models/${apiVersion}/${kind}`)) as Record<
    string,
    new (
      data: unknown,
    ) => { validate(): void }
  >;
  if (Model === undefined) return [`no schema of ${apiVersion} ${kind}`];
  try {
    new Model(object).validate();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}

function podFaults(pod: PodSpec): string[] {
  const [container] = pod.containers;
  const { resources } = container;
  const faults = [
    !/@sha256:[0-9a-f]{64}$/.test(container.image) && 'its image has no digest',
    pod.enableServiceLinks !== false && 'service links are on',
    pod.automountServiceAccountToken !== false && 'it gets a token of the cluster',
    !pod.serviceAccountName && 'it has no service account of its own',
    !resources?.['requests']?.['cpu'] && 'no requested cpu',
    !resources?.['requests']?.['memory'] && 'no requested memory',
    !resources?.['limits']?.['memory'] && 'no limit of memory',
    !holds(pod.securityContext, {
      runAsNonRoot: true,
      runAsUser: 65532,
      seccompProfile: { type: 'RuntimeDefault' },
    }) && 'its user or seccomp profile is wrong',
    !holds(container.securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    }) && 'its container has rights that it does not need',
  ];
  return faults.filter((fault) => fault !== false);
}

const PROBES = {
  startupProbe: { path: '/started', periodSeconds: 2, failureThreshold: 45 },
  readinessProbe: { path: '/ready', periodSeconds: 2, failureThreshold: 2 },
  livenessProbe: { path: '/live', periodSeconds: 5, failureThreshold: 6 },
} as const;

function servingFaults(
  { metadata: { name }, spec = {} }: KubernetesObject,
  pod: PodSpec,
  objects: readonly KubernetesObject[],
): string[] {
  const [container] = pod.containers;
  const faults: string[] = [];
  for (const [name, { path, ...times }] of Object.entries(PROBES)) {
    const probe = container[name as keyof typeof PROBES];
    if (!holds(probe, { ...times, httpGet: { path, port: 'internal' } }))
      faults.push(`${name} is wrong`);
  }
  const isScaled = objects.some(
    ({ kind, metadata }) => kind === 'HorizontalPodAutoscaler' && metadata.name === name,
  );
  if (spec['replicas'] !== (isScaled ? undefined : 2))
    faults.push(isScaled ? 'its replicas are fixed beside an autoscaler' : 'not two replicas');
  if (!holds(spec['strategy'], { rollingUpdate: { maxUnavailable: 0 } }))
    faults.push('a rollout makes one unavailable');
  if ((pod.terminationGracePeriodSeconds ?? 0) <= END_SECONDS)
    faults.push('its grace is too short');
  return faults;
}

/** Whether `value` has all of `wanted`, at any depth. */
function holds(value: unknown, wanted: unknown): boolean {
  if (typeof wanted !== 'object' || wanted === null) return value === wanted;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(wanted).every(([name, each]) =>
    holds((value as Record<string, unknown>)[name], each),
  );
}

function processIn(
  where: string,
  pod: PodSpec,
  objects: readonly KubernetesObject[],
): DeployedProcess {
  const [container] = pod.containers;
  const [process] = container.args;
  const maps = (container.envFrom ?? []).map(({ configMapRef }) => {
    const found = objects.find(({ metadata }) => metadata.name === configMapRef.name);
    if (found === undefined) throw new Error(`${where}: no ConfigMap ${configMapRef.name}`);
    return found.data ?? {};
  });
  const own = Object.fromEntries(container.env.map(({ name, value }) => [name, value]));
  const volume = pod.volumes.find(({ secret }) => secret?.secretName === `holdfast-${process}`);
  const mount = container.volumeMounts.find(({ name }) => name === volume?.name);
  const names = Object.keys(own).filter((name) => name.endsWith('_FILE'));
  // A secret volume has each key as a file, under its name.
  const files = names.map((name) => name.slice(0, -'_FILE'.length));
  return {
    where,
    process,
    environment: {
      NODE_ENV: 'production',
      HOLDFAST_HOST: '0.0.0.0',
      ...Object.assign({}, ...maps),
      ...IDENTITY,
      ...own,
    },
    files: Object.fromEntries(files.map((name) => [name, `${mount?.mountPath}/${name}`])),
  };
}
