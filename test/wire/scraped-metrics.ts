import type { TestApi } from './api.ts';

/** The numbers of a server at one time. */
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

  /** The sum of all series with these labels, and any others. 0 when there is none. */
  value(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    return this.#lines
      .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
      .filter((line) => pairs.every((pair) => line.includes(`{${pair}`) || line.includes(`,${pair}`)))
      .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' ') + 1)), 0);
  }

  /** The names of the labels of a metric's first series. */
  labels(name: string): string[] {
    const line = this.#lines.find((text) => text.startsWith(`${name}{`)) ?? '';
    return [...line.matchAll(/[{,](\w+)="/g)].map(([, label]) => label!);
  }

  get names(): Set<string> {
    return new Set([...this.text.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name!));
  }
}
