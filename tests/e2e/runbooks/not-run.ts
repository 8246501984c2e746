//! The commands of runbooks that no test can run here, and what runs them instead. A new one fails
//! the test until it is listed.

export interface NotRun {
  readonly lines: readonly string[];
  readonly why: string;
}

export const NOT_RUN: Readonly<Record<string, NotRun>> = {
  'compromised-wallet': {
    lines: ["systemctl stop 'holdfast-worker@*'"],
    why: 'It needs systemd; `npm run test:deploy` starts and stops these units.',
  },
  postgresql: {
    lines: [
      'systemctl disable --now postgresql',
      'pg_basebackup --pgdata DATA --write-recovery-conf --wal-method stream --host PRIMARY --username postgres',
    ],
    why: 'They change hosts. The test kills the primary, and starts its standby by pg_basebackup.',
  },
  restore: {
    lines: [
      'pgbackrest --stanza=holdfast --delta restore',
      'pgbackrest --stanza=holdfast --set=… --target-timeline=current --archive-mode=off restore',
      'holdfast recover seeds --from postgres://owner@newest.internal/holdfast',
    ],
    why: '`npm run drill:backup` restores by pgBackRest, `npm run drill:restore` recovers; tests/e2e/cli takes seeds.',
  },
  'bad-release': {
    lines: [
      'npm install --prefix /opt/holdfast --omit=dev --omit=optional --ignore-scripts holdfast@VERSION',
      'for unit in worker@1 worker@2 api@1 api@2; do',
      '  systemctl restart holdfast-$unit',
      '  sleep 15',
      'done',
    ],
    why: 'It needs systemd and a registry; `npm run test:upgrade` rolls back under load.',
  },
  'compromised-dependency': {
    lines: ['npm audit signatures', 'gh attestation verify oci://IMAGE@DIGEST --owner OWNER'],
    why: 'They need a published release, its registry and its transparency log.',
  },
};
