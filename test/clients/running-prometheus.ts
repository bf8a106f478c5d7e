import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../free-ports.ts';

export interface PrometheusOptions {
  readonly program: string;
  /** The folder for the data and the configuration. */
  readonly folder: string;
  /** The server that is scraped. */
  readonly target: { readonly host: string; readonly caFile: string; readonly token: string };
}

interface Sample {
  readonly metric: Readonly<Record<string, string>>;
  readonly value: readonly [number, string];
}

interface Series {
  readonly metric: Readonly<Record<string, string>>;
  readonly values: readonly (readonly [number, string])[];
}

/** A Prometheus that scrapes a server over TLS, with a token. */
export class RunningPrometheus {
  readonly #port: number;
  readonly #stop: () => Promise<void>;

  private constructor(port: number, stop: () => Promise<void>) {
    this.#port = port;
    this.#stop = stop;
  }

  static async start({ program, folder, target }: PrometheusOptions): Promise<RunningPrometheus> {
    const port = await freePort();
    const file = join(folder, 'prometheus.yml');
    const job = (name: string, path: string) => ({
      job_name: name,
      scheme: 'https',
      metrics_path: path,
      authorization: { credentials: target.token },
      tls_config: { ca_file: target.caFile },
      static_configs: [{ targets: [target.host] }],
    });
    const configuration = {
      global: { scrape_interval: '1s', scrape_timeout: '1s' },
      scrape_configs: [job('keelson', '/metrics'), job('keelson-slis', '/metrics/slis')],
    };
    // The configuration is JSON, which is valid YAML.
    writeFileSync(file, JSON.stringify(configuration));
    const child = spawn(
      program,
      [
        `--config.file=${file}`,
        `--storage.tsdb.path=${join(folder, 'tsdb')}`,
        `--web.listen-address=127.0.0.1:${port}`,
      ],
      { stdio: 'ignore' },
    );
    const exit = new Promise<void>((resolve) => child.once('close', () => resolve()));
    return new RunningPrometheus(port, async () => {
      child.kill();
      await exit;
    });
  }

  stop(): Promise<void> {
    return this.#stop();
  }

  /** Returns the values of an expression, one for each second. */
  async queryRange(expression: string, { start, end }: { start: number; end: number }): Promise<Series[]> {
    const parameters = new URLSearchParams({ query: expression, start: String(start), end: String(end), step: '1' });
    const response = await fetch(`http://127.0.0.1:${this.#port}/api/v1/query_range?${parameters}`);
    const { data } = (await response.json()) as { data?: { result: Series[] } };
    return data?.result ?? [];
  }

  /** Returns the samples of an expression. Empty when there are none yet or when Prometheus is still starting. */
  async query(expression: string): Promise<Sample[]> {
    const url = `http://127.0.0.1:${this.#port}/api/v1/query?query=${encodeURIComponent(expression)}`;
    try {
      const { data } = (await (await fetch(url)).json()) as { data?: { result: Sample[] } };
      return data?.result ?? [];
    } catch (error) {
      if (error instanceof TypeError || error instanceof SyntaxError) return [];
      throw error;
    }
  }
}
