import { type AdmissionStep, admissionSteps } from './admission-step.ts';

/** A `Status` of the API. */
export interface Status {
  readonly code?: number;
  readonly reason?: string;
  readonly message?: string;
  readonly details?: { readonly causes?: readonly StatusCause[]; readonly [key: string]: unknown };
}

export interface StatusCause {
  readonly reason?: string;
  readonly message?: string;
  readonly field?: string;
}

/** The error of a request that the server rejected or that did not reach the server (code 0). */
export class ApiError extends Error {
  readonly code: number;
  readonly reason: string;
  readonly causes: readonly StatusCause[];
  readonly steps: readonly AdmissionStep[];

  constructor(status: Status, options: ErrorOptions & { readonly steps?: readonly AdmissionStep[] } = {}) {
    super(status.message ?? `the server answered with ${status.code}`, options);
    this.name = 'ApiError';
    this.code = status.code ?? 0;
    this.reason = status.reason ?? '';
    this.causes = status.details?.causes ?? [];
    this.steps = options.steps ?? [];
  }

  /** Whether the error is independent of the content of the request, so that the request can be retried. */
  get isTransient(): boolean {
    return this.code === 0 || this.code === 429 || this.code >= 500;
  }

  static async of(response: Response): Promise<ApiError> {
    const text = await response.text().catch(() => '');
    const steps = admissionSteps(response.headers);
    try {
      const status = JSON.parse(text) as Status;
      if (typeof status.message === 'string') return new ApiError({ ...status, code: response.status }, { steps });
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error;
    }
    return new ApiError({ code: response.status, message: text.slice(0, 300) || response.statusText }, { steps });
  }
}
