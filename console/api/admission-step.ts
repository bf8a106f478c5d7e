/** The effect of one plugin, webhook or policy on an object. */
export interface AdmissionStep {
  readonly plugin: string;
  /** The webhook, or the policy and its binding. */
  readonly source?: string;
  readonly phase?: string;
  /** A JSON patch. Values may be omitted. */
  readonly patch?: readonly { readonly op: string; readonly path: string; readonly value?: unknown }[];
  readonly denied?: string;
}

/** Requests that the response to a dry run reports which plugins changed or denied the object. */
export const explainHeader = 'keelson-explain-admission';

/** Returns the admission steps that a response reports. The server reports them only to users who may see them. */
export function admissionSteps(headers: Headers): AdmissionStep[] {
  const header = headers.get('keelson-admission');
  if (header === null) return [];
  try {
    return JSON.parse(`[${header}]`) as AdmissionStep[];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}
