// What machines need to trust one another before there is a cluster. Given as data: nothing here makes secrets.

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
    /** Of the program on each machine. Secret, as the next two. */
    readonly agent: string;
    /** Of anyone who drives the installation. */
    readonly user: string;
    /** Of anyone who watches it. */
    readonly watcher: string;
    /** What the tokens are checked with: PEM under the label `EC PUBLIC KEY`, and that in base64. */
    readonly publicKey: string;
    /** Until when they are valid, in RFC 3339; undefined for ever. */
    readonly expires: string | undefined;
  };
  /** The UUID under which machines of the image register. */
  readonly infraEnvId: string;
}
