import path from 'node:path';
import { saveSnapshot } from '../../test/existing-data/save-snapshot.ts';
import type { Bench } from '../bench.ts';
import { fillEmbedded, fillEtcd } from '../fixtures/filled-stores.ts';
import type { Measurement, Scenario } from '../scenario.ts';
import { runKeelson } from '../servers/run-keelson.ts';

function row(name: string, title: string, { count, seconds }: { count: number; seconds: number }): Measurement {
  return {
    name,
    title: `${title}, ${count.toLocaleString('en')} configmaps`,
    unit: 'objects/s',
    better: 'higher',
    ours: count / seconds,
    detail: { seconds },
  };
}

async function exportFrom(bench: Bench, flags: readonly string[]): Promise<number> {
  const file = path.join(await bench.makeDirectory(), 'exported.jsonl');
  return runKeelson(bench, ['export', `--to=${file}`, ...flags]);
}

/** Whole commands: from the start of the process until the copy is verified. */
export const transferScenarios: readonly Scenario[] = [
  {
    name: 'transfer-embedded',
    run: async (bench) => {
      const { count, flags, importSeconds } = await bench.share(fillEmbedded);
      return [
        row('transfer-import-file', 'import a file', { count, seconds: importSeconds }),
        row('transfer-export-file', 'export to a file', { count, seconds: await exportFrom(bench, flags) }),
      ];
    },
  },
  {
    name: 'transfer-etcd',
    run: async (bench) => {
      const filled = await bench.share(fillEtcd);
      if (filled === undefined) return [];
      const { count, flags, importSeconds, etcd } = filled;
      const snapshot = path.join(await bench.makeDirectory(), 'snapshot.db');
      await saveSnapshot(etcd.endpoints[0]!, snapshot);
      const directory = await bench.makeDirectory();
      const fromSnapshot = await runKeelson(bench, ['import', `--from=${snapshot}`, `--data-dir=${directory}`]);
      return [
        row('transfer-etcd-import', 'import a file into etcd', { count, seconds: importSeconds }),
        row('transfer-etcd-export', 'export from etcd', { count, seconds: await exportFrom(bench, flags) }),
        row('transfer-snapshot-import', 'import a snapshot', { count, seconds: fromSnapshot }),
      ];
    },
  },
];
