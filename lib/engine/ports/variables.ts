/** Port of the secrets of deployments. */
export interface StoredVariable {
  name: string;
  /** Sealed. */
  value: string;
  /** Never shown again. */
  secret: boolean;
  updated_at: string;
}

/** What of a deployment is sealed. Only what is named changes. */
export interface SecretsChange {
  /** Sealed; null removes them. */
  credentials?: string | null;
  variables?: { set: readonly StoredVariable[]; remove: readonly string[] };
}

/** Variables, credentials and other secrets of deployments; values are sealed. `DeploymentChange` changes the first two. */
export interface VariableStore {
  list(deploymentId: string): Promise<StoredVariable[]>;
  credentials(deploymentId: string): Promise<string | undefined>;
  /** The secret that signs pushes of its repository. */
  hook(deploymentId: string): Promise<string | undefined>;
  setHook(deploymentId: string, sealed: string | undefined): Promise<void>;
}
