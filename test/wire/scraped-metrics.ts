import type { TestApi } from './api.ts';

/** The metrics of a server at one time. */
export class ScrapedMetrics {
  readonly text: string;
  readonly #lines: readonly string[];

  constructor(text: string) {
    this.text = text;
    this.#lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  }

  static async of(api: TestApi, path = '/metrics'): Promise<ScrapedMetrics> {
    const { status, text } = await api.get(path);
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    return new ScrapedMetrics(text);
  }

  /** Returns the sum of all series with these and any other labels. 0 if there are none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return this.#lines
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => pairs.every((pair) => line.includes(`{${pair}`) || line.includes(`,${pair}`)))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }

  /** Returns the label names of a metric's first series. */
  labels(name: string): string[] {
    const line = this.#lines.find((text) => text.startsWith(`${name}{`)) ?? '';
    return [...line.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!);
  }

  get names(): Set<string> {
    return new Set([...this.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!));
  }
}
