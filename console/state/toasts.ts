import { signal } from '@preact/signals';
import { ApiError, type StatusCause } from '../api/api-error.ts';

export interface Toast {
  readonly id: number;
  readonly kind: 'error' | 'warning' | 'done';
  readonly text: string;
  readonly causes: readonly StatusCause[];
}

const maxToasts = 5;
let nextId = 1;
export const toasts = signal<readonly Toast[]>([]);

export function dismissToast(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

export function showToast(toast: Omit<Toast, 'id' | 'causes'> & Partial<Pick<Toast, 'causes'>>): void {
  const id = nextId++;
  // A message with the same text replaces the one that is shown.
  const others = toasts.value.filter(({ text }) => text !== toast.text);
  toasts.value = [...others, { causes: [], ...toast, id }].slice(-maxToasts);
  if (toast.kind === 'done') setTimeout(() => dismissToast(id), 5000);
}

export function showError(error: unknown): void {
  if (error instanceof DOMException && error.name === 'AbortError') return;
  const text = error instanceof Error ? error.message : String(error);
  // The sign-in page reports this error.
  if (error instanceof ApiError && error.code === 401) return;
  showToast({ kind: 'error', text, causes: error instanceof ApiError ? error.causes : [] });
}

export function showWarnings(warnings: readonly string[]): void {
  for (const text of warnings) showToast({ kind: 'warning', text });
}
