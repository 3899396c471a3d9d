"""Motionformer as its paper computes it (Patrick et al., NeurIPS 2021, algorithm 1), in PyTorch: keys and values of every query's token in
every frame. Random weights: only its speed is of interest."""
import torch
from torch import nn
from torch.nn import functional


class TrajectoryAttention(nn.Module):
    """x (B, 1 + T·S, C), the class token first and then the patches by frame, to the same shape."""

    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        self.query, self.pair = nn.Linear(width, width), nn.Linear(width, 2 * width)
        self.output = nn.Linear(width, width)

    def forward(self, x, frames):
        batch, tokens, width = x.shape
        heads, size, scale = self.heads, width // self.heads, (width // self.heads) ** -0.5
        q, k, v = self.qkv(x).reshape(batch, tokens, 3, heads, size).permute(2, 0, 3, 1, 4)
        first = functional.scaled_dot_product_attention(q[:, :, :1], k, v).transpose(1, 2).reshape(batch, 1, width)
        q, k, v = q[:, :, 1:], k[:, :, 1:], v[:, :, 1:]
        places = (tokens - 1) // frames
        by_frame = (batch, heads, frames, places, size)
        k, v = k.reshape(by_frame), v.reshape(by_frame)
        weights = torch.einsum("bhqd,bhtsd->bhqts", q * scale, k).softmax(-1)
        paths = torch.einsum("bhqts,bhtsd->bqthd", weights, v).reshape(batch, tokens - 1, frames, width)
        own = paths.reshape(batch, frames, places, frames, width).diagonal(dim1=1, dim2=3).permute(0, 3, 1, 2).reshape(batch, tokens - 1, width)
        q = self.query(own).reshape(batch, tokens - 1, heads, size) * scale
        k, v = self.pair(paths).reshape(batch, tokens - 1, frames, 2, heads, size).unbind(3)
        weights = torch.einsum("bqhd,bqthd->bqht", q, k).softmax(-1)
        patches = torch.einsum("bqht,bqthd->bqhd", weights, v).reshape(batch, tokens - 1, width)
        return self.output(torch.cat((first, patches), 1))


class Block(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(width), nn.LayerNorm(width)
        self.attention = TrajectoryAttention(width, heads)
        self.mlp = nn.Sequential(nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))

    def forward(self, x, frames):
        x = x + self.attention(self.norm1(x), frames)
        return x + self.mlp(self.norm2(x))


class PublishedMotionformer(nn.Module):
    """Clips (B,3,16,224,224), in tubes of 2×16×16, to logits (B,400)."""

    input_size = (3, 16, 224, 224)

    def __init__(self, width=768, heads=12, layers=12):
        super().__init__()
        self.embed = nn.Conv3d(3, width, (2, 16, 16), (2, 16, 16))
        self.token = nn.Parameter(torch.zeros(1, 1, width))
        self.position = nn.Parameter(torch.zeros(1, 1 + 8 * 196, width))
        self.blocks = nn.ModuleList(Block(width, heads) for _ in range(layers))
        self.norm, self.head = nn.LayerNorm(width), nn.Linear(width, 400)

    def forward(self, clips):
        patches = self.embed(clips)
        frames = patches.shape[2]
        x = torch.cat((self.token.expand(len(clips), -1, -1), patches.flatten(2).transpose(1, 2)), 1) + self.position
        for block in self.blocks:
            x = block(x, frames)
        return self.head(self.norm(x[:, 0]))
