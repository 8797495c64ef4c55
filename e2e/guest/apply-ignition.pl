# Ignition, reduced to what the tests need: writes the files, links, users and units of a config. As the real one does, it leaves turning
# units on to systemd, which follows the presets at the first boot.
use strict;
use warnings;
use JSON::PP;
use Encode qw(encode_utf8);
use MIME::Base64;
use File::Path qw(make_path);
use File::Basename;

sub slurp { my ($path) = @_; local $/; open my $in, '<:raw', $path or die "$path: $!"; return scalar <$in>; }
sub spill {
  my ($path, $text, $mode) = @_;
  make_path(dirname($path));
  open my $out, '>:raw', $path or die "$path: $!";
  print $out $text;
  close $out;
  chmod $mode, $path;
}
sub contents {
  my ($resource) = @_;
  my $source = $resource->{source} // 'data:,';
  my ($head, $data) = $source =~ /^data:([^,]*),(.*)$/s or die "not a data URL";
  $data =~ s/%([0-9A-Fa-f]{2})/chr hex $1/ge;
  $data = decode_base64($data) if $head =~ /;base64$/;
  return $data if ($resource->{compression} // '') ne 'gzip';
  spill('/run/guest/packed.gz', $data, 0600);
  return scalar `gunzip -c /run/guest/packed.gz`;
}

my $config = decode_json(slurp($ARGV[0]));
for my $merged (@{ $config->{ignition}{config}{merge} // [] }) { die "merge is not supported here" }
for my $directory (@{ $config->{storage}{directories} // [] }) {
  make_path($directory->{path});
  chmod $directory->{mode}, $directory->{path} if defined $directory->{mode};
}
for my $file (@{ $config->{storage}{files} // [] }) {
  spill($file->{path}, contents($file->{contents} // {}), $file->{mode} // 0644);
}
for my $link (@{ $config->{storage}{links} // [] }) {
  make_path(dirname($link->{path}));
  symlink $link->{target}, $link->{path} or die "$link->{path}: $!";
}
my $number = 1000;
for my $user (@{ $config->{passwd}{users} // [] }) {
  open my $out, '>>', '/etc/passwd' or die "/etc/passwd: $!";
  print $out "$user->{name}:*:${number}:${number}::/var/home/$user->{name}:/bin/bash\n";
  close $out;
  $number++;
}
my $presets = '';
for my $unit (@{ $config->{systemd}{units} // [] }) {
  my $path = "/etc/systemd/system/$unit->{name}";
  spill($path, encode_utf8($unit->{contents}), 0644) if length($unit->{contents} // '');
  spill("$path.d/$_->{name}", encode_utf8($_->{contents}), 0644) for @{ $unit->{dropins} // [] };
  symlink '/dev/null', $path if $unit->{mask};
  $presets .= ($unit->{enabled} ? 'enable' : 'disable') . " $unit->{name}\n" if defined $unit->{enabled};
}
spill('/etc/systemd/system-preset/20-ignition.preset', $presets, 0644);
