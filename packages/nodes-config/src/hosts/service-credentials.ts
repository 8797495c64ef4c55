// Secrets with which machines trust one another before there is a cluster. They are input: this module makes none.

/** The secrets of an image with a service. */
export interface ServiceCredentials {
  /** Authorities of a new cluster: certificates and keys in PEM. */
  readonly signers: Readonly<
    Record<
      | 'admin-kubeconfig-signer'
      | 'kube-apiserver-lb-signer'
      | 'kube-apiserver-localhost-signer'
      | 'kube-apiserver-service-network-signer',
      { readonly certificate: string; readonly key: string }
    >
  >;
  /** Password hash of user kubeadmin, and of user core on the console. */
  readonly passwordHash: string;
  /** Tokens for calls to the service on the node. */
  readonly tokens: {
    /** The token of the agent on each machine. Secret, as the next two. */
    readonly agent: string;
    /** The token of clients that control the installation. */
    readonly user: string;
    /** The token of clients that watch it. */
    readonly watcher: string;
    /** The key that verifies the tokens: PEM with the label `EC PUBLIC KEY`, encoded in base64. */
    readonly publicKey: string;
    /** The time at which they expire, in RFC 3339; undefined if they do not expire. */
    readonly expires: string | undefined;
  };
  /** The UUID under which machines of the image register. */
  readonly infraEnvId: string;
}
