import { type Browser, type BrowserContext, chromium, type Locator, type Page } from 'playwright-core';
import type { DebianProgram } from '../../scripts/test-clients/debian-package.ts';
import { fetchedChromium } from '../../scripts/test-clients/http2-clients.ts';
import type { Server, ServerOptions } from '../../src/index.ts';
import { startTestedServer } from '../shared-store/start-tested-server.ts';
import { TestApi } from '../wire/api.ts';

/** Undefined where Debian's Chromium could not be downloaded. */
export const browserProgram: DebianProgram | undefined = fetchedChromium();

/** A DNS name that the browser resolves to this machine, as in a DNS rebinding attack. */
export const reboundName = 'attacker.example';

const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  `--host-resolver-rules=MAP ${reboundName} 127.0.0.1`,
];

/** The errors of a page and its requests to other origins. */
export interface Faults {
  readonly errors: string[];
  readonly foreign: string[];
}

/** A headless browser. Each visitor has its own cookies and storage. */
export class ConsoleBrowser {
  readonly #browser: Browser;
  readonly #contexts: BrowserContext[] = [];

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async start(): Promise<ConsoleBrowser> {
    const { path, env } = browserProgram!;
    const variables = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
    return new ConsoleBrowser(
      await chromium.launch({ executablePath: path, env: variables as Record<string, string>, args: flags }),
    );
  }

  /**
   * Opens a page for a new visitor. Certificate errors are ignored, because the browser does not know the CA of the
   * tests.
   */
  async visit(options: { readonly colorScheme?: 'dark' | 'light'; readonly width?: number } = {}): Promise<Page> {
    const { colorScheme = 'light', width = 1280 } = options;
    const viewport = { width, height: 800 };
    const context = await this.#browser.newContext({
      ignoreHTTPSErrors: true,
      colorScheme,
      viewport,
      reducedMotion: 'reduce',
    });
    this.#contexts.push(context);
    // The timeout is shorter than that of a test, so that the error message says what the test was waiting for.
    context.setDefaultTimeout(60_000);
    return context.newPage();
  }

  async stop(): Promise<void> {
    for (const context of this.#contexts) await context.close();
    await this.#browser.close();
  }
}

/** Starts a server with a console. */
export async function startConsole(options: ServerOptions = {}): Promise<{ api: TestApi; server: Server }> {
  let server: Server;
  const api = await TestApi.start({ console: true, ...options }, async (resolved) => {
    server = await startTestedServer(resolved);
    return server;
  });
  return { api, server: server! };
}

/**
 * Opens a page for a new visitor and signs in as administrator. Returns the page and the faults that occur from then
 * on.
 */
export async function signIn(browser: ConsoleBrowser, server: Server): Promise<{ page: Page; faults: Faults }> {
  const page = await browser.visit();
  const faults = faultsOf(page, server.url);
  await page.goto(server.signInLink!());
  await userMenu(page).waitFor();
  return { page, faults };
}

export const userMenu = (page: Page): Locator => page.getByLabel('User', { exact: true });

/**
 * Navigates to a page of the console without reloading it, as its own links do. Reloading takes three times as long.
 */
export async function show(page: Page, path: string): Promise<void> {
  const address = JSON.stringify(`/console/${path}`);
  await page.evaluate(`history.pushState(null, '', ${address}); dispatchEvent(new PopStateEvent('popstate'))`);
}

/** Collects the faults of a page from now on. Error responses do not count. */
export function faultsOf(page: Page, origin: string): Faults {
  const faults: Faults = { errors: [], foreign: [] };
  page.on('pageerror', (error) => faults.errors.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text()))
      faults.errors.push(message.text());
  });
  page.on('dialog', (dialog) => {
    faults.errors.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const url = request.url();
    if (!url.startsWith(origin) && !url.startsWith('data:') && !url.startsWith('blob:')) faults.foreign.push(url);
  });
  return faults;
}
