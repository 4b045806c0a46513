# The flake of Nix, in a clone: `nix build "git+file:.?dir=packaging/nix"`, `nix run "git+file:.?dir=packaging/nix" -- solve 5x5`.
{
  description = "Solves small boards of the Game of the Amazons exactly";

  inputs.nixpkgs.url = "nixpkgs";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = nixpkgs.lib.genAttrs systems;
      source = ../..;
      cargo = builtins.fromTOML (builtins.readFile (source + "/Cargo.toml"));
    in
    {
      packages = each (system:
        let pkgs = nixpkgs.legacyPackages.${system};
        in {
          default = pkgs.rustPlatform.buildRustPackage {
            pname = cargo.package.name;
            version = cargo.package.version;
            src = source;
            cargoLock.lockFile = source + "/Cargo.lock";
            nativeBuildInputs = [ pkgs.installShellFiles ];
            # The tests want more time and tools than a build has.
            doCheck = false;
            postInstall = ''
              $out/bin/amazons man man
              installManPage man/*.1
              for shell in bash zsh fish; do
                $out/bin/amazons completions $shell >amazons.$shell
              done
              installShellCompletion amazons.{bash,zsh,fish}
            '';
            meta = {
              description = cargo.package.description;
              license = with pkgs.lib.licenses; [ mit asl20 ];
              mainProgram = "amazons";
            };
          };
        });
    };
}
