import type { ComponentChildren } from 'preact';
import type { Resource } from '../api/use-resource.ts';
import { common } from '../app/common-texts.ts';
import { ErrorNotice } from './error-notice.tsx';

interface Props<T> {
  readonly of: Resource<T>;
  readonly children: (data: T) => ComponentChildren;
}

/** Loading, failed or loaded. Data read before stays visible when a reload fails. */
export function Loaded<T>({ of: { data, error, reload }, children }: Props<T>) {
  return (
    <>
      {error === undefined ? null : <ErrorNotice error={error} onRetry={reload} />}
      {data === undefined ? error === undefined && <Loading /> : children(data)}
    </>
  );
}

export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">{common().loading}</span>
      <i />
      <i />
      <i />
    </div>
  );
}

interface EmptyProps {
  readonly title: string;
  readonly children?: ComponentChildren;
}

export function Empty({ title, children }: EmptyProps) {
  return (
    <div class="empty">
      <p>
        <strong>{title}</strong>
      </p>
      {children}
    </div>
  );
}
